import type { UserAction } from '#organizations/vocabulary'
import type { FormState } from '../frame/fields.js'
import { counted } from '../words/numbers.js'

/** A field with one input, as `field.edge` shows it. */
export interface FieldView {
  id: string
  name: string
  label: string
  hint: string | null
  error: string | null
  value: string
  /** Ids of its hint and its error. */
  describedBy: string
  type: 'text' | 'email' | 'number' | 'area' | 'date' | 'time' | 'datetime-local'
}

/** One option of a choice. */
export interface Choice {
  value: string
  label: string
  hint: string | null
  /** Details, folded under a line; null for none. */
  more: { line: string; texts: readonly string[] } | null
  isOn: boolean
  /** True if the reader may not change it. */
  isFixed: boolean
}

/** Choices under one heading, as `choices.edge` and `select.edge` show them. */
export interface ChoicesView {
  id: string
  label: string
  hint: string | null
  error: string | null
  /** Ids of its hint and its error. */
  describedBy: string
  options: readonly Choice[]
}

interface Described {
  id: string
  label: string
  hint?: string
}

/**
 * Returns the view of a field.
 * @param name the name of the input; by default its id, which errors refer to
 */
export function fieldView(
  state: FormState,
  {
    id,
    name = id,
    label,
    hint,
    stored,
    type = 'text',
  }: Described & { name?: string; stored?: string; type?: FieldView['type'] }
): FieldView {
  return { ...described(state, { id, label, hint }), name, value: state.text(name, stored), type }
}

type OptionInput = Pick<Choice, 'value' | 'label'> & Partial<Choice>

/** Returns the view of choices: as checkboxes for several, or as a select for one. */
export function choicesView(
  state: FormState,
  { id, label, hint, options }: Described & { options: readonly OptionInput[] }
): ChoicesView {
  return {
    ...described(state, { id, label, hint }),
    options: options.map(
      ({ isOn = false, isFixed = false, hint: ofOption = null, more = null, ...each }) => ({
        ...each,
        hint: ofOption,
        more,
        isFixed,
        isOn: isFixed ? isOn : state.has(id, each.value, isOn),
      })
    ),
  }
}

/** Returns the names of a group's actions, folded under their count; null for none. */
export const actionsView = (userActions: readonly UserAction[]): Choice['more'] =>
  userActions.length === 0
    ? null
    : { line: counted(userActions.length, 'action'), texts: userActions }

function described(
  state: FormState,
  { id, label, hint = null }: Omit<Described, 'hint'> & { hint?: string | null }
) {
  const error = state.error(id)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { id, label, hint, error, describedBy }
}
