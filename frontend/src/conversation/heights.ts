// The heights of many lines of which few were measured: what is not known is
// estimated by the mean of what is. Pure; a tree of sums, so that every
// question takes as many steps as the count has binary digits.

/** What a line takes before any was measured, in pixels: two lines of text. */
const firstGuess = 56;

export class Heights {
  #known: (number | undefined)[] = [];
  /** Sums over spans of lines: of known heights, and of how many are known. */
  #sums = new Float64Array(1);
  #counts = new Int32Array(1);
  #guess = firstGuess;

  constructor(count: number) {
    this.resize(count);
  }

  get count(): number {
    return this.#known.length;
  }

  /** Changes the number of lines at the end; the others keep what is known. */
  resize(count: number): void {
    if (count === this.#known.length) return;
    this.#known.length = count;
    if (count + 1 <= this.#sums.length && count >= this.#sums.length >> 2) return this.#rebuild(this.#sums.length);
    this.#rebuild(count * 2 + 64); // room to grow, so that a live tail costs nothing
  }

  #rebuild(room: number): void {
    this.#sums = new Float64Array(room);
    this.#counts = new Int32Array(room);
    this.#known.forEach((height, i) => {
      if (height !== undefined) this.#add(i, height, 1);
    });
  }

  #add(i: number, height: number, known: number): void {
    for (let at = i + 1; at < this.#sums.length; at += at & -at) {
      this.#sums[at] = (this.#sums[at] ?? 0) + height;
      this.#counts[at] = (this.#counts[at] ?? 0) + known;
    }
  }

  /** Remembers a height; says whether that changed anything. */
  set(i: number, height: number): boolean {
    const before = this.#known[i];
    if (i < 0 || i >= this.count || before === height) return false;
    this.#known[i] = height;
    this.#add(i, height - (before ?? 0), before === undefined ? 1 : 0);
    return true;
  }

  /** Forgets all heights: the width changed, and with it every one of them. */
  forget(): void {
    this.guessAgain();
    this.#known = Array.from({ length: this.count });
    this.#sums.fill(0);
    this.#counts.fill(0);
  }

  /**
   * Takes the mean of what is known as the estimate from now on. It moves
   * everything that is not measured, so whoever calls it holds an anchor.
   */
  guessAgain(): void {
    const { sum, known } = this.#upTo(this.count);
    if (known > 0) this.#guess = Math.max(1, sum / known);
  }

  of(i: number): number {
    return this.#known[i] ?? this.#guess;
  }

  #upTo(i: number): { sum: number; known: number } {
    let [sum, known] = [0, 0];
    for (let at = i; at > 0; at -= at & -at) {
      sum += this.#sums[at] ?? 0;
      known += this.#counts[at] ?? 0;
    }
    return { sum, known };
  }

  /** Where a line begins, in pixels from the first one. */
  before(i: number): number {
    const end = Math.max(0, Math.min(i, this.count));
    const { sum, known } = this.#upTo(end);
    return sum + (end - known) * this.#guess;
  }

  get total(): number {
    return this.before(this.count);
  }

  /** The line at a place: the last that begins at it or above, without empty ones. */
  at(y: number): number {
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.before(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
