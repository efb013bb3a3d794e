import type { Problem } from '#foundation/core/problems/problem'
import { declarationOf } from '#foundation/core/problems/catalog'
import type { PageView, Refused } from './page.js'

/** Tells why a form was refused, in the words of the page, with links to the fields it shows. */
export function refusalOf({ problem }: Refused, who: string | null, view: PageView) {
  return {
    title: titleOf(problem),
    detail: view.refusal ?? problem.message,
    places: (problem.extras.errors ?? []).map(({ pointer, message }) => ({
      message,
      field: pointer ? (fieldsOf(pointer).find((name) => isFaulty(view, name)) ?? null) : null,
    })),
    who,
  }
}

/** Ids of fields that a pointer into the body may lead to: its place, then what that is within. */
export function fieldsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((_, out) => steps.slice(0, steps.length - out).join('.'))
}

/** Returns whether a view shows a field with a fault; forms of one page share names. */
function isFaulty(shown: unknown, name: string): boolean {
  if (typeof shown !== 'object' || shown === null) return false
  const { id, error } = shown as { id?: unknown; error?: unknown }
  if (id === name && typeof error === 'string') return true
  return Object.values(shown).some((each) => isFaulty(each, name))
}

/** Says first what was not done. */
function titleOf({ code, status }: Problem): string {
  if (code === 'precondition_failed') return 'Not done. This was changed meanwhile.'
  if (code === 'form_stale') return 'Not done. This page was open for too long.'
  if (status === 422) return 'Not done. Something is missing or wrong.'
  if (status === 403) return 'Not done. You may not do this.'
  return `Not done. ${declarationOf(code)[1]}.`
}
