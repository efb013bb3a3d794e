import {
  CST,
  Composer,
  Lexer,
  LineCounter,
  Parser,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type ErrorCode,
  type ParsedNode,
} from 'yaml'
// Also loaded by a bare worker thread, where only the real file name resolves.
import { YAML_LIMITS } from './tree.ts'
import type { YamlProblem, YamlProblemCode } from './tree.ts'

interface Parsed {
  /** Complete only without problems. Null when reading stopped. */
  contents: ParsedNode | null
  lineCounter: LineCounter
  problems: YamlProblem[]
}

/**
 * Parses one YAML document. Stops as soon as the text is certain to be refused: at the hundredth
 * problem, at a second document, or beyond the limit of values or levels. This bounds the memory
 * that a text of the accepted size can take. Without these stops, the package creates an error with
 * a stack trace for every stray character, and copies a tag's prefix into every tagged value. A
 * thread that nearly exhausts its heap may crash the whole process.
 */
export function parseYaml(text: string): Parsed {
  const lineCounter = new LineCounter()
  const problems = new Problems(lineCounter)
  const composer = new StoppingComposer(problems)
  let document: Document.Parsed | undefined
  try {
    const tokens = firstDocument(boundedTokens(text, lineCounter, problems), problems)
    ;[document] = composer.compose(tokens, true, text.length)
    checkVersion(document, problems)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
  const contents = document?.contents ?? null
  return { contents, lineCounter, problems: problems.all(contents) }
}

export function nestingMessage(): string {
  return `Maps and lists are nested deeper than ${YAML_LIMITS.nesting} levels`
}

export function valuesMessage(): string {
  return `The file holds more than ${YAML_LIMITS.nodes} values`
}

const MAX_MESSAGE = 300

/** Shortens a message: messages quote the file, which may be one very long word. */
export function clipped(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
}

class Stopped extends Error {}

interface FoundProblem {
  offset: number
  code: YamlProblemCode
  message: string
}

class Problems {
  readonly #lineCounter: LineCounter
  readonly #errors: FoundProblem[] = []
  readonly #warnings: FoundProblem[] = []

  constructor(lineCounter: LineCounter) {
    this.#lineCounter = lineCounter
  }

  /** @throws Stopped when the maximum number of problems is already recorded */
  add(found: FoundProblem, isWarning = false): void {
    if (this.#errors.length + this.#warnings.length === YAML_LIMITS.problems) throw new Stopped()
    if (isWarning) this.#warnings.push(found)
    else this.#errors.push(found)
  }

  addFirst(found: FoundProblem): void {
    this.#errors.unshift(found)
  }

  stop(found: FoundProblem): never {
    this.add(found)
    throw new Stopped()
  }

  all(contents: ParsedNode | null): YamlProblem[] {
    const found = [...this.#errors, ...this.#warnings].slice(0, YAML_LIMITS.problems)
    return found.map(({ offset, code, message }) => {
      const { line, col } = this.#lineCounter.linePos(offset)
      return {
        code,
        message: clipped(message),
        path: pathAt(contents, offset),
        line: Math.max(line, 1),
        column: Math.max(col, 1),
      }
    })
  }
}

const SPACE: ReadonlySet<string | null> = new Set(['space', 'newline', 'comment'])

/**
 * Yields the tokens of a text, and stops once a limit is certainly exceeded. A document within the
 * limits has at most one token of each kind per value, a second scalar for its key, and a bounded
 * number of open tokens.
 */
function* boundedTokens(
  text: string,
  lineCounter: LineCounter,
  problems: Problems
): Generator<CST.Token> {
  const parser = new Parser(lineCounter.addNewLine)
  const counts = new Map<string | null, number>()
  lineCounter.addNewLine(0)
  let isScalarText = false
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalarText ? 'space' : CST.tokenType(lexeme)
    isScalarText = lexeme === CST.SCALAR && !isScalarText
    if (!SPACE.has(type)) {
      const count = (counts.get(type) ?? 0) + 1
      counts.set(type, count)
      if (count > YAML_LIMITS.nodes * (type?.endsWith('scalar') ? 2 : 1)) {
        const { offset } = parser
        problems.stop({ offset, code: 'yaml_size_limit', message: valuesMessage() })
      }
    }
    yield* parser.next(lexeme)
    // A generous bound: `read_yaml.ts` checks the exact limit.
    if (parser.stack.length > 2 * YAML_LIMITS.nesting) {
      const { offset } = parser
      problems.stop({ offset, code: 'yaml_nesting_limit', message: nestingMessage() })
    }
  }
  yield* parser.end()
}

/** Yields the tokens up to a second document. Error tokens are not passed to the composer. */
function* firstDocument(tokens: Iterable<CST.Token>, problems: Problems): Generator<CST.Token> {
  let hasDocument = false
  for (const token of tokens) {
    if (token.type === 'document') {
      if (hasDocument) {
        const message = 'The file holds more than one document'
        problems.add({ offset: token.offset, code: 'yaml_several_documents', message })
        return
      }
      hasDocument = true
    }
    if (token.type === 'error') {
      const message = `${token.message}: ${JSON.stringify(token.source)}`
      problems.add({ offset: token.offset, code: 'yaml_syntax', message })
    } else {
      yield token
    }
  }
}

type Source = number | readonly number[] | { offset: number }

function offsetOf(source: Source): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}

/**
 * A composer that records the problems it finds in `problems`. The package has no API for this: the
 * method replaced here is private, and a test detects if it changes.
 */
class StoppingComposer extends Composer {
  constructor(problems: Problems) {
    super({
      // The package's check compares every pair of keys. Ours is linear.
      uniqueKeys: false,
      version: '1.2',
      schema: 'core',
      logLevel: 'error',
    })
    this['onError'] = (source: Source, code: ErrorCode, message: string, isWarning?: boolean) => {
      problems.add({ offset: offsetOf(source), ...readable(code, message) }, isWarning)
    }
  }
}

function readable(code: ErrorCode, message: string): { code: YamlProblemCode; message: string } {
  switch (code) {
    case 'TAG_RESOLVE_FAILED':
      return { code: 'yaml_custom_tag', message: `${message}; tags are not supported` }
    case 'RESOURCE_EXHAUSTION':
      return { code: 'yaml_nesting_limit', message: nestingMessage() }
    default:
      return { code: 'yaml_syntax', message }
  }
}

function checkVersion(document: Document.Parsed, problems: Problems): void {
  const { explicit, version } = document.directives.yaml
  if (explicit && version !== '1.2') {
    const message = `The file declares YAML ${version}; it is read as YAML 1.2`
    problems.addFirst({ offset: 0, code: 'yaml_version', message })
  }
}

/** Returns the path of the innermost value that begins before an offset in the file. */
function pathAt(contents: ParsedNode | null, offset: number): (string | number)[] {
  const path: (string | number)[] = []
  let node: unknown = contents
  while (isMap(node) || isSeq(node)) {
    const starts = node.items.map((item) => startOf(isPair(item) ? item.key : item))
    const index = starts.findLastIndex((start) => start !== null && start <= offset)
    if (index < 0) break
    const item = node.items[index]
    path.push(isPair(item) ? keyOf(item.key) : index)
    node = isPair(item) ? item.value : item
    if ((startOf(node) ?? Infinity) > offset) break
  }
  return path
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null
}

function keyOf(key: unknown): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : ''
}
