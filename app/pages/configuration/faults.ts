import type { Refused } from '../frame/page.js'
import { counted } from '../words/numbers.js'

/** The code of the error that counts the problems beyond the limit. */
const UNLISTED = 'more_problems'

/** The most characters that are shown of a line beside its problem. */
const MAX_OF_LINE = 120

/**
 * Returns the problems of a refused text, each with its line, as `found.edge` shows them.
 * @param outcome a sentence that nothing was done
 */
export function errorsView(refused: Refused | null, text: string, outcome: string) {
  const errors = refused?.problem.extras.errors ?? []
  const lines = text.split('\n')
  const problems = errors.flatMap(({ line, column = 1, path, code, message }) =>
    line === undefined || code === UNLISTED
      ? []
      : [
          {
            line,
            column,
            place: `Line ${line}, column ${column}`,
            path: path ?? '',
            message,
            excerpt: shortened(lines[line - 1] ?? '', MAX_OF_LINE),
          },
        ]
  )
  const unlisted = errors.find(({ code }) => code === UNLISTED)
  return {
    problems,
    unlisted: unlisted ? `${unlisted.message}.` : null,
    // The problems are listed with their lines instead.
    ...(problems.length > 0 && {
      places: [],
      refusal: `${counted(problems.length, 'problem')} in the text${unlisted ? ', and more' : ''}. ${outcome}`,
    }),
  }
}

/** Returns a text, cut after the most characters. */
export function shortened(text: string, most: number): string {
  const letters = [...text.slice(0, 2 * most)]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : text
}
