import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Control characters, which a terminal would interpret in texts that others wrote. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Removes control characters from a text that others wrote. */
export const plain = (text: string) => text.replace(CONTROLS, '')

/** Aborted once the reader of standard output has closed it, as `head` does. */
export const readerLeft = new AbortController()

/** Formats warnings of an answer, one on each line below the result. */
export function warningLines(
  warnings: readonly { message: string }[] | undefined,
  out: Output
): string {
  return (warnings ?? [])
    .map(({ message }) => `\n${out.style('yellow', '!')} ${plain(message)}`)
    .join('')
}

/** Prints results: for people, or as JSON for scripts. */
export class Output {
  constructor(
    readonly isJson: boolean,
    private readonly stream: NodeJS.WriteStream = process.stdout
  ) {}

  /** True on a terminal, where the screen can be redrawn. */
  get isLive(): boolean {
    return !this.isJson && this.stream.isTTY
  }

  /** Prints a result. @param text for people; it may have colours of `style` */
  show(document: unknown, text: () => string): void {
    this.line(this.isJson ? JSON.stringify(document, null, 2) : text())
  }

  /** Returns an output for a part of the result: with JSON, its document is passed to `keep`. */
  part(keep: (document: unknown) => void): Output {
    const part = new Output(this.isJson, this.stream)
    if (this.isJson) part.show = keep
    return part
  }

  /** Prints one of several results as it arrives: with JSON, each is a line. */
  each(document: unknown, text: string): void {
    this.line(this.isJson ? JSON.stringify(document) : text)
  }

  line(text: string): void {
    this.stream.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** Replaces the content of the screen. */
  redraw(text: string): void {
    this.stream.write(`\u001b[H\u001b[2J${text}\n`)
  }

  /** Colours a text if the terminal supports colours and `NO_COLOR` is not set. */
  style(style: Style, text: string): string {
    return styleText(style, plain(text), { stream: this.stream })
  }
}

/** Formats rows as aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
