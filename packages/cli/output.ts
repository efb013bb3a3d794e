import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Control characters, which a terminal would obey; texts are those of others. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Returns a text of somebody else, without what a terminal would obey. */
export const plain = (text: string) => text.replace(CONTROLS, '')

/** Shows results: for people, or as JSON for scripts. */
export class Output {
  constructor(
    readonly isJson: boolean,
    private readonly stream: NodeJS.WriteStream = process.stdout
  ) {}

  /** True where a person looks on, and a line can be written over. */
  get isLive(): boolean {
    return !this.isJson && this.stream.isTTY
  }

  /** Shows a result. @param text for people; it may hold colours of `style` */
  show(document: unknown, text: () => string): void {
    this.line(this.isJson ? JSON.stringify(document, null, 2) : text())
  }

  /** An output whose results are parts of another: with JSON they are kept. */
  part(keep: (document: unknown) => void): Output {
    const part = new Output(this.isJson, this.stream)
    if (this.isJson) part.show = keep
    return part
  }

  /** Shows one of several results as they come: with JSON each is a line. */
  each(document: unknown, text: string): void {
    this.line(this.isJson ? JSON.stringify(document) : text)
  }

  line(text: string): void {
    this.stream.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** Replaces everything on the screen. */
  redraw(text: string): void {
    this.stream.write(`\u001b[H\u001b[2J${text}\n`)
  }

  /** Colours a text where the terminal has colours and `NO_COLOR` is not set. */
  style(style: Style, text: string): string {
    return styleText(style, plain(text), { stream: this.stream })
  }
}

/** Lines of columns, each as wide as its longest text. */
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
