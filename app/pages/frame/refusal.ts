import type { Problem } from '#foundation/core/problems/problem'
import { declarationOf } from '#foundation/core/problems/catalog'
import { faultText, plainText } from '../words/plain.js'
import type { PageView, Refused } from './page.js'

/** Explains why a form was refused, in the words of the page, with links to its fields. */
export function refusalOf({ problem }: Refused, who: string | null, view: PageView) {
  const title = titleOf(problem)
  const errors =
    view.places ??
    (problem.extras.errors ?? []).map(({ pointer, message }) => ({
      message: faultText(message),
      field: pointer ? faultyField(view, fieldOf(pointer)) : null,
    }))
  const places = errors.map(({ message, field }) => ({
    field,
    message: withLabel(view, field, message),
  }))
  const isInTitle = title.endsWith(`${problem.message}.`)
  // The list of fields says it already.
  const isListed = problem.code === 'invalid_input' && places.length > 0
  const detail = view.refusal ?? (isInTitle || isListed ? null : plainText(problem.message))
  return { title, detail, places, who }
}

/** Puts the label of its field before a message that begins with `It`. */
function withLabel(view: PageView, field: string | null, message: string): string {
  const label = field !== null && message.startsWith('It ') ? labelOf(view, field) : null
  return label === null
    ? message
    : `${label}: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`
}

function labelOf(node: unknown, field: string): string | null {
  if (typeof node !== 'object' || node === null) return null
  const { id, label } = node as { id?: unknown; label?: unknown }
  if (id === field && typeof label === 'string') return label.replace(' (optional)', '')
  for (const each of Object.values(node)) {
    const found = labelOf(each, field)
    if (found !== null) return found
  }
  return null
}

/** Returns the id of the field of a JSON pointer into the body: its first segment. */
export const fieldOf = (pointer: string) => pointer.split('/')[1] ?? null

/** Returns the id of a field if the view shows it with an error; otherwise null. */
function faultyField(node: unknown, name: string | null): string | null {
  if (typeof node !== 'object' || node === null) return null
  const { id, error } = node as { id?: unknown; error?: unknown }
  if (id === name && typeof error === 'string') return name
  return Object.values(node).some((each) => faultyField(each, name) !== null) ? name : null
}

/** Returns a title that begins with the outcome. */
function titleOf({ code, status }: Problem): string {
  if (code === 'precondition_failed') return 'Not done. This was changed in the meantime.'
  if (code === 'form_stale') return 'Not done. This page was open for too long.'
  if (status === 422) return 'Not done. Something is missing or wrong.'
  if (status === 403) return 'Not done. You may not do this.'
  return `Not done. ${declarationOf(code)[1]}.`
}
