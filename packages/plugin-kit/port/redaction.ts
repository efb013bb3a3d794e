import type { Credentials } from './door.js'

/** Shorter values are parts of ordinary words. */
const LEAST = 4

/** Takes secrets out of text that is told, however they are spelt in it. */
export class Redaction {
  #values: string[] = []

  constructor(credentials: Credentials) {
    this.learn(...textsIn(credentials))
  }

  /** Knows further secrets from now on, such as tokens. */
  learn(...secrets: readonly string[]): void {
    const spelt = secrets
      .filter((value) => value.length >= LEAST)
      .flatMap((value) => [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64'),
        JSON.stringify(value).slice(1, -1),
      ])
    // The longest first: one may be part of another.
    this.#values = [...new Set([...this.#values, ...spelt])].sort((a, b) => b.length - a.length)
  }

  readonly redact = (text: string): string =>
    this.#values.reduce((told, value) => told.replaceAll(value, '•••'), text)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
