import type { Credentials } from './door.js'

/** Shorter values are parts of ordinary words. */
const MIN_LENGTH = 4

/** Maximum depth of logged values. */
const DEEPEST = 6

/** Removes secrets from visible text, in all their usual encodings. */
export class Redaction {
  #values: string[] = []

  constructor(credentials: Credentials) {
    this.learn(...textsIn(credentials))
  }

  /** Adds further secrets, such as tokens. */
  learn(...secrets: readonly string[]): void {
    const encodings = secrets
      .filter((value) => value.length >= MIN_LENGTH)
      .flatMap((value) => [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64'),
        JSON.stringify(value).slice(1, -1),
      ])
    // The longest comes first, since one may be part of another.
    this.#values = [...new Set([...this.#values, ...encodings])].sort((a, b) => b.length - a.length)
  }

  readonly redact = (text: string): string =>
    this.#values.reduce((reported, value) => reported.replaceAll(value, '•••'), text)

  /** Redacts any logged value: texts, members and their names, and errors. */
  readonly redactAll = (value: unknown): unknown => this.#redactedAt(value, 0)

  #redactedAt(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'function' ? '[function]' : value
    }
    if (depth === DEEPEST || ArrayBuffer.isView(value)) return '[left out]'
    if (value instanceof Error) {
      // The standard members of errors are not enumerable.
      const { name, message, stack, cause } = value
      return this.#redactedAt({ ...value, name, message, stack, cause }, depth)
    }
    if (value instanceof Date) return value
    if (Array.isArray(value)) return value.map((each) => this.#redactedAt(each, depth + 1))
    const members = value instanceof Map ? [...value] : Object.entries(value)
    return Object.fromEntries(
      members.map(([name, each]) => [this.redact(String(name)), this.#redactedAt(each, depth + 1)])
    )
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
