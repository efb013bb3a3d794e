/**
 * One step of a matching program. Programs run in lockstep over the text (Thompson's construction
 * with captures), so time is text length times program length whatever the pattern: nothing
 * backtracks (`contract/security.md`, rule 3).
 */
export type Instruction =
  | { op: 'char'; char: string }
  | { op: 'class'; accepts: (char: string) => boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'save'; slot: number }
  | { op: 'match' }

export type CharacterClass = (char: string) => boolean

export const anyCharacter: CharacterClass = () => true
export const digit: CharacterClass = (char) => char >= '0' && char <= '9'

/** Builds a program from left to right. */
export class ProgramBuilder {
  readonly #program: Instruction[] = []

  /** The text itself, character by character. */
  text(text: string): this {
    for (const char of text) this.#program.push({ op: 'char', char })
    return this
  }

  /** `least` or more characters of a class, taking as many (greedy) or as few (lazy) as it can. */
  repeat(accepts: CharacterClass, least: number, appetite: 'greedy' | 'lazy'): this {
    for (let count = 0; count < least; count += 1) this.#program.push({ op: 'class', accepts })
    const split = this.#program.length
    const [body, after] = [split + 1, split + 3]
    this.#program.push(this.#choice(body, after, appetite))
    this.#program.push({ op: 'class', accepts })
    this.#program.push(this.#choice(body, after, appetite))
    return this
  }

  /** A part that may be absent; present is tried first. */
  optional(build: (builder: ProgramBuilder) => void): this {
    const split = this.#program.length
    this.#program.push({ op: 'match' })
    build(this)
    this.#program[split] = { op: 'split', first: split + 1, second: this.#program.length }
    return this
  }

  one(accepts: CharacterClass): this {
    this.#program.push({ op: 'class', accepts })
    return this
  }

  save(slot: number): this {
    this.#program.push({ op: 'save', slot })
    return this
  }

  finish(): Instruction[] {
    return [...this.#program, { op: 'match' }]
  }

  #choice(body: number, after: number, appetite: 'greedy' | 'lazy'): Instruction {
    return appetite === 'greedy'
      ? { op: 'split', first: body, second: after }
      : { op: 'split', first: after, second: body }
  }
}

interface Thread {
  at: number
  slots: readonly number[]
}

/** Threads of one position, in order of preference, each program place at most once. */
class ThreadList {
  readonly threads: Thread[] = []
  readonly #seen: Set<number> = new Set()

  constructor(readonly program: readonly Instruction[]) {}

  add(start: Thread, position: number): void {
    const waiting = [start]
    while (waiting.length > 0) {
      const thread = waiting.pop() as Thread
      if (this.#seen.has(thread.at)) continue
      this.#seen.add(thread.at)
      const instruction = this.program[thread.at]
      if (instruction.op === 'split') {
        waiting.push({ at: instruction.second, slots: thread.slots })
        waiting.push({ at: instruction.first, slots: thread.slots })
      } else if (instruction.op === 'save') {
        waiting.push({ at: thread.at + 1, slots: thread.slots.with(instruction.slot, position) })
      } else {
        this.threads.push(thread)
      }
    }
  }
}

/**
 * Matches a whole text. The answer holds what each pair of slots captured
 * (`undefined` where a pair was not passed), or is null when the text does not match.
 */
export function run(
  program: readonly Instruction[],
  pairs: number,
  text: string
): (string | undefined)[] | null {
  const characters = Array.from(text)
  let current = new ThreadList(program)
  current.add({ at: 0, slots: new Array<number>(pairs * 2).fill(-1) }, 0)
  for (const [position, char] of characters.entries()) {
    const next = new ThreadList(program)
    for (const thread of current.threads) {
      if (takes(program[thread.at], char)) {
        next.add({ at: thread.at + 1, slots: thread.slots }, position + 1)
      }
    }
    if (next.threads.length === 0) return null
    current = next
  }
  const found = current.threads.find((thread) => program[thread.at].op === 'match')
  return found ? captured(found.slots, characters) : null
}

function takes(instruction: Instruction, char: string): boolean {
  if (instruction.op === 'char') return instruction.char === char
  return instruction.op === 'class' && instruction.accepts(char)
}

function captured(slots: readonly number[], characters: string[]): (string | undefined)[] {
  const texts: (string | undefined)[] = []
  for (let slot = 0; slot < slots.length; slot += 2) {
    const [from, to] = [slots[slot], slots[slot + 1]]
    texts.push(from < 0 || to < 0 ? undefined : characters.slice(from, to).join(''))
  }
  return texts
}
