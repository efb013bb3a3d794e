import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { oneOf, describedAs, jsonSchema, text, trimmedText } from '#foundation/api/operation/input'
import { CI_PROVIDERS } from './ci_run.js'

const MAX_REFS = 20
const MAX_GROUPS = 200
/** The longest token that is read, in characters. */
const MAX_TOKEN_LENGTH = 16_000

export const trustRuleBody = vine.create({
  appId: text(100).use(describedAs('Id of the app that the keys are for.')),
  provider: oneOf(CI_PROVIDERS),
  issuer: trimmedText(2048).use(jsonSchema({ format: 'uri' })),
  audience: trimmedText(255),
  repository: trimmedText(255),
  repositoryId: trimmedText(32).nullable().optional(),
  workflow: trimmedText(255),
  refs: vine.array(trimmedText(255)).minLength(1).maxLength(MAX_REFS).distinct(),
  environment: trimmedText(255).nullable().optional(),
  groupIds: vine
    .array(text(64).use(describedAs('Id of a group.')))
    .maxLength(MAX_GROUPS)
    .distinct()
    .use(describedAs('Groups whose user actions the keys have; without any, they are read-only.'))
    .optional(),
})
export type TrustRuleInput = Infer<typeof trustRuleBody>

export const exchangeBody = vine.create({
  orgId: text(64).use(describedAs('Id of the organization.')),
  appId: text(100).use(describedAs('Id of the app.')),
  token: text(MAX_TOKEN_LENGTH).use(describedAs('Token of the run, as signed by its CI provider.')),
})
