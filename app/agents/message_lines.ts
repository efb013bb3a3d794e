import { Transform } from 'node:stream'
import { Problem } from '#foundation/core/problems/problem'
import { MAX_REQUEST } from './bounds.js'
import { fault, messageIn } from './message_in.js'

const LINE_END = 0x0a

/** Passes on the lines that are messages. Answers all other lines, which the SDK would ignore. */
export class MessageLines extends Transform {
  #parts: Buffer[] = []
  #length = 0

  constructor(private readonly respond: (line: string) => void) {
    super()
  }

  override _transform(bytes: Buffer, _encoding: string, done: () => void): void {
    let start = 0
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
      this.#add(bytes.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#add(bytes.subarray(start))
    done()
  }

  override _flush(done: () => void): void {
    this.#endLine()
    done()
  }

  /** Discards a line that is too long. */
  #add(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_REQUEST) this.#parts = []
    else this.#parts.push(part)
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts)
    const isTooLong = this.#length > MAX_REQUEST
    this.#parts = []
    this.#length = 0
    if (!isTooLong && line.toString().trim() === '') return
    const wrong = isTooLong ? fault(-32600, 'A message has at most 1 MiB.') : faultOf(line)
    if (wrong) this.respond(`${JSON.stringify(wrong)}\n`)
    else this.push(Buffer.concat([line, Buffer.of(LINE_END)]))
  }
}

function faultOf(line: Buffer) {
  try {
    const read = messageIn(line)
    return 'fault' in read ? read.fault : null
  } catch (error) {
    if (error instanceof Problem) return fault(-32600, error.message)
    throw error
  }
}
