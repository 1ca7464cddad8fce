"""The routes of the service, by what they answer; :mod:`satcal.service.work` has their work."""
