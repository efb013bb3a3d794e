import vine from '@vinejs/vine'
import type { FieldContext, Infer } from '@vinejs/vine/types'
import { anyText, describedAs, text } from '#foundation/api/operation/input'

export const latestBuildValidator = vine.create({
  fileName: text(255).use(describedAs('Name of the file; the artifact by default.')).optional(),
})
export type LatestBuildQuery = Infer<typeof latestBuildValidator>

const MAX_ARGUMENT_NAME = 200

function checkArgumentNames(names: string[], field: FieldContext): void {
  const isWrong = names.some((name) => name === '' || name.length > MAX_ARGUMENT_NAME)
  if (isWrong) field.report(`A name has 1 to ${MAX_ARGUMENT_NAME} characters`, 'name', field)
}

export const triggerCiValidator = vine.create({
  branch: text(256)
    .use(describedAs('Branch to build; by default that of the release. A full ref is accepted.'))
    .optional(),
  workflowId: text(200)
    .use(describedAs('Workflow to run; the integration’s `workflowId` by default.'))
    .optional(),
  arguments: vine
    .record(anyText(2000))
    .maxLength(25)
    .validateKeys(checkArgumentNames)
    .use(describedAs('Inputs of the workflow by name, at most 25.'))
    .optional(),
})
export type TriggerCiInput = Infer<typeof triggerCiValidator>
