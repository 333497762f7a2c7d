/** Two short tones, in hertz, and when they begin, in seconds. */
const TONES = [
  { hertz: 587.33, at: 0 },
  { hertz: 880, at: 0.09 },
] as const;
/** How loud it is, of 1: about as loud as a quiet voice if music is at 1. */
const VOLUME = 0.05;
const ATTACK_S = 0.012;
const TONE_S = 0.32;
/** An exponential change cannot reach zero. */
const SILENCE = 0.0001;

/**
 * Whether the browser lets this page make a sound: only after its user has clicked or pressed a key in it. Browsers
 * that do not say so are asked by trying.
 */
export const canSound = (): boolean => {
  const activation = navigator.userActivation as UserActivation | undefined;
  return 'AudioContext' in window && activation?.hasBeenActive !== false;
};

/** Plays the quiet sound. Does nothing if the browser does not allow it; never rejects. */
export async function playSound(): Promise<void> {
  if (!canSound()) return;
  try {
    const context = new AudioContext();
    // A browser that does not allow it leaves the context suspended.
    if (context.state === 'running') await ended(context);
    else await Promise.race([context.resume().then(() => ended(context)), tooLate()]);
    await context.close();
  } catch {
    // No device, or no permission.
  }
}

const LATE_MS = 1_500;
const tooLate = () => new Promise<void>((resolve) => setTimeout(resolve, LATE_MS));

function ended(context: AudioContext): Promise<void> {
  const start = context.currentTime;
  const played = TONES.map(({ hertz, at }) => {
    const [tone, loudness] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(SILENCE, start + at);
    loudness.gain.linearRampToValueAtTime(VOLUME, start + at + ATTACK_S);
    loudness.gain.exponentialRampToValueAtTime(SILENCE, start + at + TONE_S);
    tone.connect(loudness).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + TONE_S);
    return new Promise<void>((resolve) => tone.addEventListener('ended', () => resolve()));
  });
  return Promise.all(played).then(() => {});
}
