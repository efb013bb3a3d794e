import { jsonPointer } from '../../core/json_pointer.js'
import { refuse, type ProblemPlace } from '../../core/problems/problem.js'

/** Deepest nesting of a body; the deepest declared input has less than ten levels. */
const MAX_DEPTH = 32

/** Members that set a prototype when they are copied by name. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Makes parsed JSON safe to hand on: members that would set a prototype are dropped, like
 * every other unknown member is.
 * @param root JSON pointer of the value in the body
 * @throws invalid_input for nesting beyond 32 levels, and for text that the databases would
 * refuse or change: U+0000, and halves of surrogate pairs.
 */
export function demandPlain(value: unknown, root = ''): void {
  const pending: { value: unknown; pointer: string; depth: number }[] = [
    { value, pointer: root, depth: 0 },
  ]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { pointer, depth } = next
    if (typeof next.value === 'string') demandText(next.value, pointer)
    if (typeof next.value !== 'object' || next.value === null) continue
    if (depth >= MAX_DEPTH) {
      throw broken({
        pointer: root,
        code: 'nesting',
        message: `The body is nested deeper than ${MAX_DEPTH} levels.`,
      })
    }
    const holder = next.value as Record<string, unknown>
    for (const [name, member] of Object.entries(holder)) {
      if (FORBIDDEN.has(name)) {
        delete holder[name]
        continue
      }
      demandText(name, pointer)
      const at = pointer + jsonPointer(name)
      pending.push({ value: member, pointer: at, depth: depth + 1 })
    }
  }
}

function demandText(text: string, pointer: string): void {
  if (text.includes('\0')) {
    throw broken({ pointer, code: 'nul', message: 'Text must not hold the character U+0000.' })
  }
  if (!text.isWellFormed()) {
    throw broken({
      pointer,
      code: 'ill_formed',
      message: 'Text must not hold half of a surrogate pair.',
    })
  }
}

function broken(place: ProblemPlace) {
  return refuse('invalid_input', { detail: place.message, errors: [place] })
}
