"""Drawings of boards, pieces, tilings and tables."""
