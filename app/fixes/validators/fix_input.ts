import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  checkedByHand,
  emailAddress,
  integer,
  oneOf,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'
import {
  FIX_STATUSES,
  MAX_COMMITS,
  MAX_FORM_FIELDS,
  MAX_OPTION,
  MAX_OPTIONS,
  MAX_PULL_REQUESTS,
  MAX_TEXT,
  WAYS_IN,
} from '../vocabulary.js'

const filled = vine.object({
  fieldId: text(64).use(describedAs('Id of the field.')),
  value: checkedByHand({
    type: ['string', 'boolean', 'array', 'null'],
    maxLength: MAX_TEXT,
    maxItems: MAX_OPTIONS,
    items: { type: 'string', maxLength: MAX_OPTION },
  })
    .use(describedAs('Value that fits the field type; null leaves it empty.'))
    .optional(),
})

const formFields = () =>
  vine
    .array(filled)
    .maxLength(MAX_FORM_FIELDS)
    .use(describedAs('Values of the form fields.'))
    .optional()

/** The code to bring in, and how. */
const namedCode = () => ({
  commitHashes: vine
    .array(
      vine
        .string()
        .maxLength(64)
        .regex(/^[0-9a-fA-F]{7,64}$/)
    )
    .maxLength(MAX_COMMITS)
    .use(describedAs('Hashes of the commits.'))
    .optional(),
  pullRequestNumbers: vine
    .array(integer(1, 2_147_483_647))
    .maxLength(MAX_PULL_REQUESTS)
    .distinct()
    .use(describedAs('Numbers of the pull requests.'))
    .optional(),
  ticketId: text(200)
    .use(describedAs('Ticket for the fix; null or absent for none.'))
    .nullable()
    .optional(),
  wayIn: oneOf(WAYS_IN).optional(),
})

/** `CreateFixRequestRequestBody` */
export const createFixRequestValidator = vine.create({
  title: trimmedText(200)
    .use(describedAs('What is to be fixed; by default the title of the given code or ticket.'))
    .optional(),
  description: anyText(MAX_TEXT).nullable().optional(),
  ...namedCode(),
  formFields: formFields(),
  requesterEmail: emailAddress()
    .use(describedAs('Who requests the fix; the key itself by default.'))
    .optional(),
})
export type CreateFixRequestInput = Infer<typeof createFixRequestValidator>

/** Validates the body of `requestFix` of a triage issue. */
export const requestFixValidator = vine.create({
  releaseId: text(240).use(describedAs('Id of the target release.')),
  title: trimmedText(200)
    .use(describedAs('What is to be fixed; the title of the issue by default.'))
    .optional(),
  description: anyText(MAX_TEXT)
    .use(describedAs('Why the fix cannot wait; by default as in the issue, null for none.'))
    .nullable()
    .optional(),
  ...namedCode(),
  formFields: formFields(),
})
export type RequestFixInput = Infer<typeof requestFixValidator>

const verdict = () => ({
  comment: text(5000)
    .use(describedAs('Comment; for a rejection, the reason. Null or absent for none.'))
    .nullable()
    .optional(),
  userEmail: emailAddress().use(describedAs('Who decides; the key itself by default.')).optional(),
})

export const verdictValidator = vine.create(verdict())
export type VerdictInput = Infer<typeof verdictValidator>

export const approvalValidator = vine.create({
  ...verdict(),
  mergesCommit: vine
    .string()
    .maxLength(64)
    .regex(/^[0-9a-f]{40,64}$/)
    .use(describedAs('The `mergesCommit` that was read; null or absent for none.'))
    .nullable()
    .optional(),
})
export type ApprovalInput = Infer<typeof approvalValidator>

export const listFixRequestsValidator = vine.create({
  status: oneOf(FIX_STATUSES).use(describedAs('Only requests with this status.')).optional(),
})
export type ListFixRequestsQuery = Infer<typeof listFixRequestsValidator>
