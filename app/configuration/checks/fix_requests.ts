import { DEFAULT_FORM, optionsFault, type FixForm } from '#fixes/triage/form'
import type { FormField } from '#fixes/tables'
import {
  FORM_FIELD_TYPES,
  MAX_FORM_FIELDS,
  MAX_OPTION,
  MAX_OPTIONS,
  MAX_REQUIRED_APPROVALS,
  hasOptions,
} from '#fixes/vocabulary'
import type { Inspector, Spot } from './inspector.js'

const MAX_ID = 64
const MAX_LABEL = 200
/** The file's problem codes for faults of options. */
const CODES = { not_allowed: 'not_allowed', required: 'required', unique: 'duplicate' } as const

/** Checks `x-fixRequests`: the settings of fix requests. Missing members get defaults. */
export function checkFixRequests(inspector: Inspector, spot: Spot): FixForm | undefined {
  const fields = inspector.fields(spot, ['requiredApprovals', 'fourEyes', 'fields'])
  if (!fields) return undefined
  const approvals = (each: Spot) => inspector.integer(each, 1, MAX_REQUIRED_APPROVALS)
  const flag = (each: Spot) => inspector.flag(each)
  const form = (each: Spot) => readForm(inspector, each)
  return {
    requiredApprovals:
      inspector.optional(fields.requiredApprovals, approvals) ?? DEFAULT_FORM.requiredApprovals,
    fourEyes: inspector.optional(fields.fourEyes, flag) ?? DEFAULT_FORM.fourEyes,
    fields: inspector.optional(fields.fields, form) ?? [],
  }
}

function readForm(inspector: Inspector, spot: Spot): FormField[] {
  const items = inspector.items(spot, 'fields', MAX_FORM_FIELDS)
  const seen = new Set<string>()
  return items.flatMap((item) => {
    const field = readField(inspector, item)
    if (!field) return []
    if (seen.has(field.id)) {
      inspector.problems.add(item, 'duplicate', `There is another field ${field.id}`)
    }
    seen.add(field.id)
    return [field]
  })
}

function readField(inspector: Inspector, spot: Spot): FormField | undefined {
  const names = ['id', 'label', 'type', 'required', 'options', 'helpText'] as const
  const fields = inspector.fields(spot, names)
  if (!fields) return undefined
  const id = inspector.required(spot, 'id', fields.id, (each) => inspector.text(each, MAX_ID))
  const label = inspector.required(spot, 'label', fields.label, (each) =>
    inspector.text(each, MAX_LABEL)
  )
  const type = inspector.required(spot, 'type', fields.type, (each) =>
    inspector.choice(each, FORM_FIELD_TYPES)
  )
  const required = inspector.optional(fields.required, (each) => inspector.flag(each)) ?? false
  const options = inspector.optional(fields.options, (each) => readOptions(inspector, each)) ?? null
  const helpText = inspector.optional(fields.helpText, (each) => inspector.text(each)) ?? null
  if (!id || !label || !type) return undefined
  const fault = optionsFault(hasOptions(type), options ?? [])
  if (fault) {
    inspector.problems.add(fields.options ?? spot, CODES[fault.code], fault.message)
    return undefined
  }
  return { id, label, type, required, options: hasOptions(type) ? options : null, helpText }
}

function readOptions(inspector: Inspector, spot: Spot): string[] {
  const items = inspector.items(spot, 'options', MAX_OPTIONS)
  return items.flatMap((item) => inspector.text(item, MAX_OPTION) ?? [])
}
