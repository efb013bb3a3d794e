import { jsonPointer } from '../../core/json_pointer.js'
import { refuseFields, type ProblemPlace } from '../../core/problems/problem.js'

/** Deepest nesting of a body; the deepest declared input has less than ten levels. */
const MAX_DEPTH = 32

/** Broken texts listed of one body at most. */
const MAX_PLACES = 100

/** Members that set a prototype when they are copied by name. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Makes parsed JSON safe to hand on: members that would set a prototype are dropped, like
 * every other unknown member is.
 * @param root JSON pointer of the value in the body
 * @returns text that the databases would refuse or change: U+0000, and halves of surrogate pairs
 * @throws invalid_input for nesting beyond 32 levels
 */
export function makePlain(value: unknown, root = ''): ProblemPlace[] {
  const places: ProblemPlace[] = []
  const pending: { value: unknown; pointer: string; depth: number }[] = [
    { value, pointer: root, depth: 0 },
  ]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { pointer, depth } = next
    if (typeof next.value === 'string') places.push(...textFaults(next.value, pointer))
    if (typeof next.value !== 'object' || next.value === null) continue
    if (depth >= MAX_DEPTH) {
      const message = `The body is nested deeper than ${MAX_DEPTH} levels.`
      throw refuseFields([{ pointer: root, code: 'nesting', message }])
    }
    if (places.length >= MAX_PLACES) break
    const holder = next.value as Record<string, unknown>
    // The last is taken up first.
    for (const [name, member] of Object.entries(holder).reverse()) {
      if (FORBIDDEN.has(name)) {
        delete holder[name]
        continue
      }
      places.push(...textFaults(name, pointer))
      const at = pointer + jsonPointer(name)
      pending.push({ value: member, pointer: at, depth: depth + 1 })
    }
  }
  return places
}

function textFaults(text: string, pointer: string): ProblemPlace[] {
  if (text.includes('\0')) {
    return [{ pointer, code: 'nul', message: 'Text must not hold the character U+0000.' }]
  }
  if (text.isWellFormed()) return []
  return [{ pointer, code: 'ill_formed', message: 'Text must not hold half of a surrogate pair.' }]
}
