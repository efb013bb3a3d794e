import { ProgramBuilder, anyCharacter, run, type Instruction } from './machine.js'
import { MAX_PATTERN_LENGTH } from './parse_pattern.js'

const NOT_A_SEPARATOR = (char: string) => char !== '/'

/**
 * A file pattern: `*` stands for any text within a name, `**` for any text with folders, `?` for
 * one character. Without a slash it is held against the last part of a path.
 */
export class Glob {
  readonly #program: Instruction[]
  readonly #wholePath: boolean

  constructor(readonly source: string) {
    this.#wholePath = source.includes('/')
    this.#program = compile(source)
  }

  /** Whether a file name or path fits; linear in its length. */
  matches(path: string): boolean {
    const text = this.#wholePath ? path : path.slice(path.lastIndexOf('/') + 1)
    return run(this.#program, 0, text) !== null
  }
}

/** What is wrong with a file pattern, in words; null when it is fine. */
export function globProblem(source: string): string | null {
  if (source.trim() === '') return 'A file pattern cannot be empty'
  if (source.length > MAX_PATTERN_LENGTH) {
    return `A file pattern holds at most ${MAX_PATTERN_LENGTH} characters, this one ${source.length}`
  }
  return null
}

/** Compiles a file pattern; throws on one that `globProblem` refuses. */
export function compileGlob(source: string): Glob {
  const problem = globProblem(source)
  if (problem) throw new TypeError(problem)
  return new Glob(source)
}

function compile(source: string): Instruction[] {
  const builder = new ProgramBuilder()
  for (let at = 0; at < source.length;) {
    const char = String.fromCodePoint(source.codePointAt(at) as number)
    if (source.startsWith('**', at)) {
      while (source[at] === '*') at += 1
      if (source[at] === '/') {
        // `**/x` also means `x` at the top: the folders and their slash may be absent together.
        builder.optional((inner) => inner.repeat(anyCharacter, 0, 'lazy').text('/'))
        at += 1
      } else {
        builder.repeat(anyCharacter, 0, 'lazy')
      }
      continue
    }
    if (char === '*') builder.repeat(NOT_A_SEPARATOR, 0, 'lazy')
    else if (char === '?') builder.one(NOT_A_SEPARATOR)
    else builder.text(char)
    at += char.length
  }
  return builder.finish()
}
