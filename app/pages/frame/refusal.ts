import type { Problem } from '#foundation/core/problems/problem'
import { declarationOf } from '#foundation/core/problems/catalog'
import type { Refused } from './page.js'

/**
 * Tells why a form was refused, with links to the fields.
 * @param detail the words of the page; without, those of the problem
 */
export function refusalOf({ problem }: Refused, who: string | null, detail = problem.message) {
  return {
    title: titleOf(problem),
    detail,
    places: (problem.extras.errors ?? []).map(({ pointer, message }) => ({
      message,
      field: pointer ? fieldOf(pointer) : null,
    })),
    who,
  }
}

/** The id of the field that a pointer into the body leads to: its first member. */
export const fieldOf = (pointer: string) => pointer.split('/')[1] ?? null

/** Says first what was not done. */
function titleOf({ code, status }: Problem): string {
  if (code === 'precondition_failed') return 'Not done. This was changed meanwhile.'
  if (code === 'form_stale') return 'Not done. This page was open for too long.'
  if (status === 422) return 'Not done. Something is missing or wrong.'
  if (status === 403) return 'Not done. You may not do this.'
  return `Not done. ${declarationOf(code)[1]}.`
}
