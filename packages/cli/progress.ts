const WIDTH = 24
const EVERY_MS = 100

/** A progress bar on standard error for a terminal; nothing in a pipe or in CI. */
export class Progress {
  #shownAt = 0

  constructor(
    private readonly label: string,
    private readonly total: number,
    private readonly stream: NodeJS.WriteStream = process.stderr
  ) {}

  show(done: number): void {
    if (!this.stream.isTTY) return
    const now = Date.now()
    if (done < this.total && now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const part = this.total === 0 ? 1 : done / this.total
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')
    this.stream.write(
      `\r${this.label} ${bar} ${Math.floor(part * 100)} % of ${sizeOf(this.total)} `
    )
  }

  end(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K')
  }
}

/** Formats a size for people. */
export function sizeOf(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  return `${bytes} B`
}
