// The time that relative times are counted from. It goes on in steps: what is
// on screen does not flicker.

const step = 30_000;

let now = $state.raw(new Date());

export function nowAt(): Date {
  return now;
}

/** Lets the clock go until the function that it gives is called. */
export function startClock(): () => void {
  const timer = setInterval(() => (now = new Date()), step);
  return () => clearInterval(timer);
}

/** Sets the clock at once: something was read just now. */
export function setClock(): void {
  now = new Date();
}
