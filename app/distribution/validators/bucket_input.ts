import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  boolean,
  integer,
  oneOf,
  describedAs,
  jsonSchema,
  text,
} from '#foundation/api/operation/input'
import {
  BUCKET_RULE_TYPES,
  BUCKET_STATUSES,
  CONFIGURABLE_BUCKET_TYPES,
  MAX_AGE_DAYS,
  MAX_FILTERS,
  MAX_KEPT_BUILDS,
  MAX_MEMBERS,
  MAX_RULES,
  PERMISSION_LEVELS,
} from '../vocabulary.js'

const member = vine.object({
  id: text(64).use(describedAs('Id of a group or user; either this or `name`.')).optional(),
  name: text(320)
    .use(describedAs('Name of a group, or e-mail address of a user; either this or `id`.'))
    .optional(),
  permissionLevel: oneOf(PERMISSION_LEVELS),
})

const rule = vine.object({
  type: oneOf(BUCKET_RULE_TYPES),
  branch: text(256).nullable().optional(),
  baseBranch: text(256).nullable().optional(),
  workflow: text(255).nullable().optional(),
  fileFilterPatterns: vine.array(text(256)).maxLength(MAX_FILTERS).optional(),
})

const automation = vine.object({
  type: oneOf(['expireOldBuilds'])
    .use(describedAs('Type of the automation: expires old builds.'))
    .use(jsonSchema({ default: 'expireOldBuilds' }))
    .optional(),
  enabled: boolean(),
  config: vine
    .object({
      maxAgeDays: integer(1, MAX_AGE_DAYS)
        .use(describedAs('Days after which a build expires; null for no limit.'))
        .nullable()
        .optional(),
      maxBuilds: integer(1, MAX_KEPT_BUILDS)
        .use(describedAs('Number of newest builds to keep; null for no limit.'))
        .nullable()
        .optional(),
    })
    .use(describedAs('Limits on age, number or both, beyond which builds expire.')),
})

const settings = {
  orgWideAccessEnabled: boolean().optional(),
  notificationsEnabled: boolean().optional(),
  publicLinkEnabled: boolean().optional(),
  members: vine.array(member).maxLength(MAX_MEMBERS).optional(),
  rules: vine.array(rule).maxLength(MAX_RULES).optional(),
  automations: vine.array(automation).maxLength(1).optional(),
}

export const createBucketValidator = vine.create({
  name: text(100),
  type: oneOf(CONFIGURABLE_BUCKET_TYPES).optional(),
  ...settings,
})
export type CreateBucketInput = Infer<typeof createBucketValidator>

export const updateBucketValidator = vine.create({
  name: text(100).optional(),
  status: oneOf(BUCKET_STATUSES).optional(),
  ...settings,
})
export type UpdateBucketInput = Infer<typeof updateBucketValidator>

export type MemberInput = Infer<typeof member>
export type RuleInput = Infer<typeof rule>
export type AutomationInput = Infer<typeof automation>
