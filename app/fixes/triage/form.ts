import type { Scope } from '#foundation/core/scope'
import { change, of, select } from '#foundation/core/database/statement'
import { storedRow, type RowOf } from '#foundation/core/database/table'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { fixSettings, type FormField } from '../tables.js'
import type { UpdateFormInput } from '../validators/triage_input.js'
import { hasOptions } from '../vocabulary.js'

/** The request form of an app. */
export type FixForm = Pick<RowOf<typeof fixSettings>, 'requiredApprovals' | 'fourEyes' | 'fields'>

/** The default request form. */
export const DEFAULT_FORM: FixForm = { requiredApprovals: 1, fourEyes: true, fields: [] }

const FORM = select(
  of(fixSettings, 's', ['requiredApprovals', 'fourEyes', 'fields']),
  'from fix_settings s where s.organization_id = :org and s.app_id = :appId'
)
const STORE = change(
  `insert into fix_settings (
    app_id, organization_id, required_approvals, four_eyes, fields, updated_at)
  values (:app_id, :org, :required_approvals, :four_eyes, :fields, :updated_at)
  on conflict (app_id) do update set required_approvals = excluded.required_approvals,
    four_eyes = excluded.four_eyes, fields = excluded.fields, updated_at = excluded.updated_at`
)

export async function fixForm(scope: Scope, appId: string): Promise<FixForm> {
  const [row] = await scope.rows(FORM, { appId })
  return row ?? DEFAULT_FORM
}

export async function storeFixForm(scope: Scope, appId: string, form: FixForm): Promise<void> {
  await scope.change(STORE, storedRow(fixSettings, { appId, ...form, updatedAt: scope.now }))
}

/** Returns fields in their stored form: complete, and in a fixed order of members. */
export function formFields(fields: NonNullable<UpdateFormInput['fields']>): FormField[] {
  return fields.map(({ id, label, type, required = false, options = null, helpText = null }) => ({
    id,
    label,
    type,
    required,
    options: hasOptions(type) ? options : null,
    helpText,
  }))
}

/** Collects the errors of field ids and options that the schema cannot express. */
export function checkFields(
  fields: PartiallyValid<UpdateFormInput>['fields'],
  errors: InputErrors
): void {
  const ids = new Set<string>()
  for (const [index, field] of (fields ?? []).entries()) {
    if (!field) continue
    const pointer = `/fields/${index}`
    const { id, type, options } = field
    if (id !== undefined && ids.has(id)) {
      const message = `Another field already has the id ${id}.`
      errors.add({ pointer: `${pointer}/id`, code: 'unique', message })
    }
    if (id !== undefined) ids.add(id)
    if (type === undefined || !errors.isWellFormed(`${pointer}/options`)) continue
    const problem = optionsProblem(hasOptions(type), options ?? [])
    if (problem) errors.add({ pointer: `${pointer}/options`, ...problem })
  }
}

/** Returns the problem with the options of a field; null for none. */
export function optionsProblem(
  isChoice: boolean,
  options: readonly unknown[]
): { code: 'not_allowed' | 'required' | 'unique'; message: string } | null {
  if (!isChoice && options.length > 0) {
    return { code: 'not_allowed', message: 'Only select and multiselect have options.' }
  }
  if (isChoice && options.length === 0) {
    return { code: 'required', message: 'A select or multiselect needs at least one option.' }
  }
  if (new Set(options).size < options.length) {
    return { code: 'unique', message: 'An option is listed twice.' }
  }
  return null
}
