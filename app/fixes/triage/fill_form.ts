import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { lengthOf } from '#foundation/core/text'
import { webUrlFault } from '#foundation/core/web_url'
import { findPerson } from '#organizations/queries/find_person'
import type { FilledField, FormField } from '../tables.js'
import type { CreateFixRequestInput } from '../validators/fix_input.js'
import { MAX_LINE, MAX_OPTION, MAX_TEXT } from '../vocabulary.js'

type Given = PartiallyValid<CreateFixRequestInput>['formFields']
type Fault = { code: string; message: string }
type Read = { value: FilledField['value'] | null } | { fault: Fault }

/**
 * Reads the values of a form, without empty ones, and collects their errors: values of another
 * type, fields that the form does not have or that come twice, required fields that are empty.
 * @returns the fields in the order of the form
 */
export async function fillForm(
  scope: Scope,
  form: readonly FormField[],
  input: Given,
  errors: InputErrors
): Promise<FilledField[]> {
  const known = new Map(form.map((field) => [field.id, field]))
  const answered = new Set<string>()
  const filled = new Map<string, FilledField>()
  for (const [index, entry] of (input ?? []).entries()) {
    const pointer = `/formFields/${index}`
    const { fieldId, value = null } = entry ?? {}
    const long = tooLongParts(value, `${pointer}/value`)
    if (long.length > 0) {
      for (const each of long) errors.add(each)
      if (fieldId !== undefined) answered.add(fieldId)
      continue
    }
    if (fieldId === undefined) continue
    const field = known.get(fieldId)
    if (!field) {
      const message = `The form has no field ${fieldId}.`
      errors.add({ pointer: `${pointer}/fieldId`, code: 'unknown_field', message })
      continue
    }
    if (answered.has(fieldId)) {
      const message = `The field ${fieldId} is filled in twice.`
      errors.add({ pointer: `${pointer}/fieldId`, code: 'unique', message })
      continue
    }
    answered.add(fieldId)
    const read = await readValue(scope, field, value)
    if ('fault' in read) errors.add({ pointer: `${pointer}/value`, ...read.fault })
    else if (read.value !== null) {
      filled.set(fieldId, { fieldId, label: field.label, value: read.value })
    } else if (field.required) {
      errors.add({ pointer: `${pointer}/value`, ...missing(field) })
    }
  }
  if (errors.isWellFormed('/formFields')) {
    for (const field of form) {
      if (!field.required || answered.has(field.id)) continue
      errors.add({ pointer: '/formFields', ...missing(field) })
    }
  }
  return form.flatMap(({ id }) => filled.get(id) ?? [])
}

const missing = ({ label, id }: FormField): Fault => ({
  code: 'required',
  message: `"${label}" (${id}) has to be filled in.`,
})

/** Returns the parts that exceed the limits of fields and options. */
function tooLongParts(value: unknown, pointer: string): (Fault & { pointer: string })[] {
  const isLong = (each: unknown, max: number) => typeof each === 'string' && lengthOf(each) > max
  if (isLong(value, MAX_TEXT)) return [{ pointer, ...tooLong(MAX_TEXT) }]
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown, index) =>
    isLong(each, MAX_OPTION) ? [{ pointer: `${pointer}/${index}`, ...tooLong(MAX_OPTION) }] : []
  )
}

const wrong = (message: string): Read => ({ fault: { code: 'wrong_type', message } })

/** Returns a value as its field takes it; null for an empty one. */
async function readValue(scope: Scope, field: FormField, value: unknown): Promise<Read> {
  if (value === null || value === '') return { value: null }
  switch (field.type) {
    case 'checkbox':
      if (typeof value !== 'boolean') return wrong('A checkbox is true or false.')
      return { value: value || !field.required ? value : null }
    case 'multiselect':
      return readOptions(field, value)
    default:
      if (typeof value !== 'string') return wrong('This field takes text.')
      return readText(scope, field, value)
  }
}

function readOptions({ options }: FormField, value: unknown): Read {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (!isList) return wrong('This field takes a list of its options.')
  const list = value as string[]
  const stray = list.find((each) => !options!.includes(each))
  if (stray !== undefined) return { fault: notAnOption(options!) }
  if (new Set(list).size < list.length) {
    return { fault: { code: 'unique', message: 'An option is chosen twice.' } }
  }
  return { value: list.length > 0 ? list : null }
}

async function readText(scope: Scope, { type, options }: FormField, value: string): Promise<Read> {
  const max = type === 'textarea' ? MAX_TEXT : MAX_LINE
  if (lengthOf(value) > max) {
    return { fault: tooLong(max) }
  }
  if (type === 'select') {
    return options!.includes(value) ? { value } : { fault: notAnOption(options!) }
  }
  if (type === 'url') {
    const fault = webUrlFault(value)
    return fault === null ? { value } : { fault: { code: 'url', message: `The value ${fault}.` } }
  }
  if (type === 'user') {
    const person = await findPerson(scope, value.toLowerCase())
    if (person) return { value: person.email }
    const message = 'The organization has no user with this address.'
    return { fault: { code: 'unknown_user', message } }
  }
  if (type === 'text' && /[\r\n]/.test(value)) {
    return { fault: { code: 'line', message: 'This field takes a single line.' } }
  }
  return { value }
}

const tooLong = (max: number): Fault => ({
  code: 'max_length',
  message: `It has at most ${max} characters.`,
})
const notAnOption = (options: readonly string[]): Fault => ({
  code: 'enum',
  message: `It has to be one of ${options.slice(0, 20).join(', ')}.`,
})
