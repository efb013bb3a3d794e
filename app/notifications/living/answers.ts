import { newId } from '#foundation/core/ids'
import { lineText } from '../compose.js'
import type { Line } from '../tables.js'

/*
 * The history below a living message: answers in its thread, each of several lines.
 */

/** The maximum size of an answer: chats cut off longer ones. */
const MAX_SIZE = { lines: 20, characters: 3000 } as const

/**
 * Assigns each unassigned line to an answer. A line keeps its answer, so that a repeated attempt
 * sends the same text, and later lines come in an answer of their own.
 */
export function inAnswers(lines: readonly Line[]): Line[] {
  let result = newId('ans')
  const filled = { lines: 0, characters: 0 }
  return lines.map((line) => {
    if (line.notified || line.answer !== undefined) return line
    const characters = lineText(line).length
    const isFull =
      filled.lines >= MAX_SIZE.lines ||
      (filled.lines > 0 && filled.characters + characters > MAX_SIZE.characters)
    if (isFull) {
      result = newId('ans')
      Object.assign(filled, { lines: 0, characters: 0 })
    }
    filled.lines += 1
    filled.characters += characters
    return { ...line, answer: result }
  })
}

/** Returns the lines of each answer that the history lacks, in order. */
export function unnotifiedAnswers(lines: readonly Line[]): Map<string, Line[]> {
  const unreported = lines.filter(
    ({ notified: isNotified, answer: result }) => !isNotified && result !== undefined
  )
  return Map.groupBy(unreported, ({ answer: result }) => result!)
}
