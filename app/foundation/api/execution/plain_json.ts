import { jsonPointer } from '../../core/json_pointer.js'
import { refuse, type Problem, type ProblemPlace } from '../../core/problems/problem.js'

/** Maximum nesting of a body; the deepest declared input has fewer than ten levels. */
const MAX_DEPTH = 32

/** Maximum number of members of all objects and lists of a body together. */
const MAX_MEMBERS = 50_000

/** Maximum number of broken texts listed for one body. */
const MAX_PLACES = 100

/** Maximum number of dropped members listed for one body. */
const MAX_DROPPED = 500

/** Members that set a prototype when they are copied by name. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const tooDeep = (what: string) =>
  tooComplex(`${what} is nested deeper than ${MAX_DEPTH} levels.`, MAX_DEPTH)
const tooMany = (what: string) =>
  tooComplex(`${what} has more than ${MAX_MEMBERS} members.`, MAX_MEMBERS)

const tooComplex = (detail: string, limit: number): Problem =>
  refuse('too_complex', { detail, members: { limit } })

const [QUOTE, BACKSLASH, COMMA] = ['"', '\\', ','].map((each) => each.charCodeAt(0))
const OPENING = new Set(['{', '['].map((each) => each.charCodeAt(0)))
const CLOSING = new Set(['}', ']'].map((each) => each.charCodeAt(0)))
const SPACE = 0x20

/**
 * Counts the members and levels of JSON before it is parsed. It does not check the syntax; the
 * parser does.
 * @throws too_complex
 */
export function requireSimple(json: Buffer, what: string): void {
  let members = 0
  let depth = 0
  let isOpened = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte <= SPACE) continue
    const isClosed = CLOSING.has(byte)
    // Counts the first member of each object or list, and one more for every comma.
    if (byte === COMMA || (isOpened && !isClosed)) members += 1
    if (members > MAX_MEMBERS) throw tooMany(what)
    isOpened = OPENING.has(byte)
    if (isOpened) depth += 1
    if (isClosed) depth -= 1
    if (depth > MAX_DEPTH) throw tooDeep(what)
    if (byte === QUOTE) at = endOfText(json, at)
  }
}

/** Returns the end of the string that begins at a quote. */
function endOfText(json: Buffer, begin: number): number {
  let at = begin + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/** Parts of a body that are not passed on. */
interface NotPlain {
  /** Text that the databases would refuse or change: U+0000, and halves of surrogate pairs. */
  unsafe: ProblemPlace[]
  /** JSON pointers of members that were dropped. */
  dropped: string[]
  /** Number of members that were checked. */
  members: number
}

/**
 * Makes parsed JSON safe to pass on: drops members that would set a prototype, and finds unsafe
 * text.
 * @param root JSON pointer of the value in the body
 * @throws too_complex
 */
export function makePlain(value: unknown, root = ''): NotPlain {
  const places: ProblemPlace[] = []
  const dropped: string[] = []
  const path: (string | number)[] = []
  let members = 0
  const check = (text: string) => {
    const fault = textFault(text)
    if (fault) places.push({ pointer: root + jsonPointer(...path), ...fault })
  }
  const visit = (each: unknown) => {
    if (typeof each === 'string') check(each)
    if (typeof each !== 'object' || each === null) return
    if (path.length === MAX_DEPTH) throw tooDeep('The body')
    const parent = each as Record<string, unknown>
    for (const name of Object.keys(parent)) {
      members += 1
      if (members > MAX_MEMBERS) throw tooMany('The body')
      if (places.length >= MAX_PLACES) return
      if (FORBIDDEN.has(name)) {
        delete parent[name]
        if (dropped.length < MAX_DROPPED) dropped.push(root + jsonPointer(...path, name))
        continue
      }
      check(name)
      path.push(name)
      visit(parent[name])
      path.pop()
    }
  }
  visit(value)
  return { unsafe: places, dropped, members }
}

function textFault(text: string): { code: string; message: string } | undefined {
  if (text.includes('\0')) {
    return { code: 'nul', message: 'Text must not hold the character U+0000.' }
  }
  if (text.isWellFormed()) return undefined
  return { code: 'ill_formed', message: 'Text must not hold half of a surrogate pair.' }
}
