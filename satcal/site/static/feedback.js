// What a hand or an ear notices when a piece is put down: each is off until it is switched on.
import { preference } from "./storage.js";

/** @type {AudioContext | undefined} */
let audio;

export function knock() {
  if (preference("buzz", "no") === "yes") navigator.vibrate?.(12);
  if (preference("sound", "no") !== "yes") return;
  audio ??= new AudioContext();
  const now = audio.currentTime, tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.setValueAtTime(240, now);
  tone.frequency.exponentialRampToValueAtTime(90, now + 0.07); // as wood on wood
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.09);
}
