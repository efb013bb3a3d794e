import { BUCKET_RULE_TYPES, CONFIGURABLE_BUCKET_TYPES } from '#distribution/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import type { Bucket, BucketFormAnswers } from './answers.js'
import { crumbsOf } from './list.view.js'
import { BUCKET_TYPES, type Retention } from './words.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

const RULE_TYPES: Readonly<Record<(typeof BUCKET_RULE_TYPES)[number], string>> = {
  Branch: 'Builds of a branch',
  PR: 'Builds of pull requests onto a branch',
}

/** Returns the view of the form that makes or changes a bucket. */
export function bucketFormView(
  { app, bucket, tag }: BucketFormAnswers,
  { reader, refused, params }: Call
) {
  const action = addressOf(bucket ? addresses.editBucket : addresses.buckets, params)
  const state = new FormState(refused, action)
  const box = (id: string, label: string, [name, hint]: readonly [string, string], isOn: boolean) =>
    choicesView(state, { id, label, options: [{ value: 'true', label: name, hint, isOn }] })
  const members = bucket?.members.map(({ name, permissionLevel }) => `${name}, ${permissionLevel}`)
  const [retention] = bucket?.automations ?? []
  const { maxAgeDays, maxBuilds } = (retention?.config ?? {}) as Partial<Retention>
  const number = (id: string, label: string, stored: number | null | undefined) =>
    fieldView(state, { id, label, stored: stored ? String(stored) : '' })
  return {
    title: bucket ? `Change ${bucket.name}` : 'Create a bucket',
    place: null,
    pollSeconds: null,
    isSecret: bucket === null,
    ...changedMeanwhile(refused, reader),
    crumbs: crumbsOf(app),
    isNew: bucket === null,
    action,
    tag: seenTag(tag, action, refused),
    cancel: addressOf(bucket ? addresses.bucket : addresses.buckets, params),
    verb: bucket ? 'Change the bucket' : 'Create the bucket',
    name: fieldView(state, { id: 'name', label: 'Name', stored: bucket?.name }),
    type:
      bucket === null
        ? choicesView(state, {
            id: 'type',
            label: 'What it is for',
            hint: 'An app has one for release candidates and one for development builds.',
            options: [...CONFIGURABLE_BUCKET_TYPES].reverse().map((value) => ({
              value,
              label: BUCKET_TYPES[value],
            })),
          })
        : null,
    boxes: [
      box(
        'orgWideAccessEnabled',
        'Access',
        ['Everybody in the organization', 'They can see and install its builds, as members can.'],
        bucket?.orgWideAccessEnabled ?? false
      ),
      box(
        'publicLinkEnabled',
        'Links',
        ['Public links', 'Anyone with such a link can install, without a name.'],
        bucket?.publicLinkEnabled ?? false
      ),
      box(
        'notificationsEnabled',
        'Notifications',
        ['About new builds', 'Testers are notified of each new build.'],
        bucket?.notificationsEnabled ?? true
      ),
      ...(bucket
        ? [
            box(
              'archived',
              'State',
              ['Archived', 'It accepts no more builds; those in it stay.'],
              bucket.status === 'archived'
            ),
          ]
        : []),
    ],
    members: fieldView(state, {
      id: 'members',
      label: 'Members (optional)',
      hint: 'One per line: a group or an e-mail address, a comma, and tester, uploader or admin, such as “QA, uploader”.',
      stored: members?.join('\n'),
      type: 'area',
    }),
    rules: [...(bucket?.rules ?? []), null].map((rule, index) => ruleOf(state, rule, index)),
    retention: [
      number('maxAgeDays', 'Days until a build expires (optional)', maxAgeDays),
      number('maxBuilds', 'Newest builds to keep (optional)', maxBuilds),
    ],
    paused: box(
      'retentionPaused',
      'Expiry',
      ['Paused', 'No build expires, whatever is set above.'],
      retention?.enabled === false
    ),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the fields of a rule. The last ones are for another rule and may stay empty. */
function ruleOf(state: FormState, rule: Bucket['rules'][number] | null, index: number) {
  const field = (id: string, label: string, stored: string | null, hint?: string) =>
    fieldView(state, { id: `${id}-${index}`, label, stored: stored ?? '', hint })
  const spareTitle = index > 0 ? 'Another rule (optional)' : 'Rule (optional)'
  return {
    title: rule ? `Rule ${index + 1}` : spareTitle,
    type: choicesView(state, {
      id: `ruleType-${index}`,
      label: 'Adds',
      options: [
        { value: '', label: 'Nothing', isOn: rule === null },
        ...BUCKET_RULE_TYPES.map((value) => ({
          value,
          label: RULE_TYPES[value],
          isOn: rule?.type === value,
        })),
      ],
    }),
    fields: [
      field(
        'ruleBranch',
        'Branch',
        rule && (rule.branch ?? rule.baseBranch),
        'A pattern, such as release/{version} or main.'
      ),
      field('ruleWorkflow', 'CI workflow (optional)', rule && rule.workflow),
      field(
        'ruleFiles',
        'Files (optional)',
        rule && rule.fileFilterPatterns.join(', '),
        'Patterns, separated by commas; *.ipa or *.apk if empty.'
      ),
    ],
  }
}
