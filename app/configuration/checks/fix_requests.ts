import { DEFAULT_FORM, optionsProblem, type FixForm } from '#fixes/triage/form'
import type { FormField } from '#fixes/tables'
import {
  FORM_FIELD_TYPES,
  MAX_FORM_FIELDS,
  MAX_OPTION,
  MAX_OPTIONS,
  MAX_REQUIRED_APPROVALS,
  hasOptions,
} from '#fixes/vocabulary'
import type { Inspector, Element } from './inspector.js'

const MAX_ID = 64
const MAX_LABEL = 200
/** The file's problem codes for errors of options. */
const CODES = { not_allowed: 'not_allowed', required: 'required', unique: 'duplicate' } as const

/** Checks `x-fixRequests`: the settings of fix requests. Missing members get defaults. */
export function checkFixRequests(inspector: Inspector, element: Element): FixForm | undefined {
  const fields = inspector.fields(element, ['requiredApprovals', 'fourEyes', 'fields'])
  if (!fields) return undefined
  const approvals = (each: Element) => inspector.integer(each, 1, MAX_REQUIRED_APPROVALS)
  const flag = (each: Element) => inspector.flag(each)
  const form = (each: Element) => readForm(inspector, each)
  return {
    requiredApprovals:
      inspector.optional(fields.requiredApprovals, approvals) ?? DEFAULT_FORM.requiredApprovals,
    fourEyes: inspector.optional(fields.fourEyes, flag) ?? DEFAULT_FORM.fourEyes,
    fields: inspector.optional(fields.fields, form) ?? [],
  }
}

function readForm(inspector: Inspector, element: Element): FormField[] {
  const items = inspector.items(element, 'fields', MAX_FORM_FIELDS)
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

function readField(inspector: Inspector, element: Element): FormField | undefined {
  const names = ['id', 'label', 'type', 'required', 'options', 'helpText'] as const
  const fields = inspector.fields(element, names)
  if (!fields) return undefined
  const id = inspector.required(element, 'id', fields.id, (each) => inspector.text(each, MAX_ID))
  const label = inspector.required(element, 'label', fields.label, (each) =>
    inspector.text(each, MAX_LABEL)
  )
  const type = inspector.required(element, 'type', fields.type, (each) =>
    inspector.choice(each, FORM_FIELD_TYPES)
  )
  const required = inspector.optional(fields.required, (each) => inspector.flag(each)) ?? false
  const options = inspector.optional(fields.options, (each) => readOptions(inspector, each)) ?? null
  const helpText = inspector.optional(fields.helpText, (each) => inspector.text(each)) ?? null
  if (!id || !label || !type) return undefined
  const fault = optionsProblem(hasOptions(type), options ?? [])
  if (fault) {
    inspector.problems.add(fields.options ?? element, CODES[fault.code], fault.message)
    return undefined
  }
  return { id, label, type, required, options: hasOptions(type) ? options : null, helpText }
}

function readOptions(inspector: Inspector, element: Element): string[] {
  const items = inspector.items(element, 'options', MAX_OPTIONS)
  return items.flatMap((item) => inspector.text(item, MAX_OPTION) ?? [])
}
