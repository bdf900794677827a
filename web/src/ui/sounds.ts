/** Sounds synthesised by the browser: short, quiet, wooden. */

import type { Sound } from '../state/sound.ts';

const MUTED = 'foglight.muted';
let context: AudioContext | null = null;

export const muted = (): boolean => localStorage.getItem(MUTED) === 'yes';
export const mute = (yes: boolean): void => localStorage.setItem(MUTED, yes ? 'yes' : 'no');

/** Frequency, length in seconds, volume and delay of each tone. */
const TONES: Record<Sound, [number, number, number, number][]> = {
  own: [[320, 0.07, 0.25, 0]],
  other: [[240, 0.09, 0.25, 0]],
  capture: [
    [180, 0.12, 0.35, 0],
    [120, 0.16, 0.3, 0.04],
  ],
  roll: [
    [520, 0.03, 0.15, 0],
    [440, 0.03, 0.15, 0.07],
    [480, 0.03, 0.15, 0.13],
    [380, 0.05, 0.15, 0.2],
  ],
  end: [
    [330, 0.3, 0.2, 0],
    [440, 0.35, 0.2, 0.14],
    [550, 0.5, 0.2, 0.28],
  ],
  notice: [
    [660, 0.12, 0.15, 0],
    [880, 0.16, 0.12, 0.1],
  ],
};

/** Plays a sound, unless muted or before the first gesture, when browsers forbid it. */
export function play(sound: Sound): void {
  if (muted() || !('AudioContext' in window)) return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [frequency, length, gain, delay] of TONES[sound]) tone(context, start + delay, frequency, length, gain);
}

function tone(audio: AudioContext, at: number, frequency: number, length: number, loudness: number): void {
  const source = audio.createOscillator();
  const gain = audio.createGain();
  source.type = 'triangle';
  source.frequency.setValueAtTime(frequency, at);
  source.frequency.exponentialRampToValueAtTime(frequency * 0.6, at + length);
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
