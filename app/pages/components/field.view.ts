import type { FormState } from '../frame/fields.js'

/** A field of one line, as `field.edge` shows it. */
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

/** Something to choose. */
export interface Choice {
  value: string
  label: string
  hint: string | null
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

/** @param name the name of the field; absent: its id, which errors refer to */
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

type Offered = Pick<Choice, 'value' | 'label'> & Partial<Choice>

/** The view of choices: several may be chosen as checkboxes, or one in a select. */
export function choicesView(
  state: FormState,
  { id, label, hint, options }: Described & { options: readonly Offered[] }
): ChoicesView {
  return {
    ...described(state, { id, label, hint }),
    options: options.map(({ isOn = false, isFixed = false, hint: about = null, ...each }) => ({
      ...each,
      hint: about,
      isFixed,
      isOn: isFixed ? isOn : state.has(id, each.value, isOn),
    })),
  }
}

function described(
  state: FormState,
  { id, label, hint = null }: Omit<Described, 'hint'> & { hint?: string | null }
) {
  const error = state.error(id)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { id, label, hint, error, describedBy }
}
