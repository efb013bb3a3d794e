import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  checkedByHand,
  emailAddress,
  integer,
  oneOf,
  says,
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
  fieldId: text(64).use(says('Id of the field.')),
  value: checkedByHand({
    type: ['string', 'boolean', 'array', 'null'],
    maxLength: MAX_TEXT,
    maxItems: MAX_OPTIONS,
    items: { type: 'string', maxLength: MAX_OPTION },
  })
    .use(says('What its type takes; null leaves it empty.'))
    .optional(),
})

const formFields = () =>
  vine
    .array(filled)
    .maxLength(MAX_FORM_FIELDS)
    .use(says('The form of the app, filled in.'))
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
    .use(says('By their hashes.'))
    .optional(),
  pullRequestNumbers: vine
    .array(integer(1, 2_147_483_647))
    .maxLength(MAX_PULL_REQUESTS)
    .distinct()
    .use(says('By their numbers.'))
    .optional(),
  ticketId: text(200).use(says('Ticket about it; null or absent for none.')).nullable().optional(),
  wayIn: oneOf(WAYS_IN).optional(),
})

/** `CreateFixRequestRequestBody` */
export const createFixRequestValidator = vine.create({
  title: trimmedText(200)
    .use(says('What is to be fixed; by default what the code or ticket that is named is called.'))
    .optional(),
  description: anyText(MAX_TEXT).nullable().optional(),
  ...namedCode(),
  formFields: formFields(),
  requesterEmail: emailAddress()
    .use(says('Who asks for it; the key itself by default.'))
    .optional(),
})
export type CreateFixRequestInput = Infer<typeof createFixRequestValidator>

/** Validates the body of `requestFix` of a triage issue. */
export const requestFixValidator = vine.create({
  releaseId: text(240).use(says('Id of the release it is to go into.')),
  title: trimmedText(200)
    .use(says('What is to be fixed; the title of the issue by default.'))
    .optional(),
  description: anyText(MAX_TEXT)
    .use(says('Why it cannot wait; that of the issue by default, null for none.'))
    .nullable()
    .optional(),
  ...namedCode(),
  formFields: formFields(),
})
export type RequestFixInput = Infer<typeof requestFixValidator>

const verdict = () => ({
  comment: text(5000)
    .use(says('A word to go with it; of a rejection it is the reason. Null or absent for none.'))
    .nullable()
    .optional(),
  userEmail: emailAddress().use(says('Who decides; the key itself by default.')).optional(),
})

export const verdictValidator = vine.create(verdict())
export type VerdictInput = Infer<typeof verdictValidator>

export const approvalValidator = vine.create({
  ...verdict(),
  mergesCommit: vine
    .string()
    .maxLength(64)
    .regex(/^[0-9a-f]{40,64}$/)
    .use(says('The `mergesCommit` that was read; null or absent for none.'))
    .nullable()
    .optional(),
})
export type ApprovalInput = Infer<typeof approvalValidator>

export const listFixRequestsValidator = vine.create({
  status: oneOf(FIX_STATUSES).use(says('Only requests of this status.')).optional(),
})
export type ListFixRequestsQuery = Infer<typeof listFixRequestsValidator>
