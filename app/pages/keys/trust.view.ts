import type { GroupEntity } from '#organizations/entities'
import type { ListedTrustRuleEntity, TrustRuleEntity } from '#organizations/keyless/entities'
import { addresses, addressOf } from '../addresses.js'
import { actionsView, choicesView, fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { appName, appNames } from '../words/names.js'
import { inSentence, relativeText } from '../words/times.js'
import type { NamedApp } from './answers.js'
import { keySections, mayText } from './list.view.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

const PROVIDERS: Readonly<Record<TrustRuleEntity['provider'], string>> = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
}

/** The choices that the form of a rule offers. */
interface Offered {
  apps: readonly NamedApp[]
  groups: readonly GroupEntity[]
  baseUrl: string
}

/** Returns the view of all trust rules. */
export function trustRulesView(
  { rules, apps }: { rules: readonly ListedTrustRuleEntity[]; apps: readonly NamedApp[] },
  { reader, params }: Call
) {
  const nameOf = appNames(apps)
  return {
    title: 'Keyless CI',
    place: 'keys',
    pollSeconds: null,
    sections: keySections(params.orgId, 'trust'),
    newHref: addressOf(addresses.newTrustRule, params),
    rows: rules.map((rule) => ({
      href: addressOf(addresses.trustRule, { ...params, trustRuleId: rule.id }),
      repository: rule.repository,
      workflow: `${PROVIDERS[rule.provider]}, ${rule.workflow}`,
      app: nameOf(rule.appId),
      may: mayText({ admin: false, person: null, groups: rule.groups }),
      at: [...rule.refs, ...(rule.environment ? [`environment ${rule.environment}`] : [])].join(
        ', '
      ),
      used: rule.lastUsedAt
        ? `used ${relativeText(rule.lastUsedAt, reader.now) ?? inSentence(rule.lastUsedAt, reader)}`
        : 'never used',
      deleteHref: addressOf(addresses.deleteTrustRule, { ...params, trustRuleId: rule.id }),
    })),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the form that makes or changes a trust rule. */
export function trustRuleView(
  {
    rule,
    tag,
    apps,
    groups,
    baseUrl,
  }: Offered & { rule: TrustRuleEntity | null; tag: string | null },
  { reader, refused, params }: Call
) {
  const action = addressOf(rule ? addresses.trustRule : addresses.trustRules, params)
  const state = new FormState(refused, action)
  const held = new Set(rule?.groups.map(({ id }) => id))
  const field = (id: string, label: string, stored: string | null | undefined, hint: string) =>
    fieldView(state, { id, label, stored: stored ?? '', hint })
  const title = rule ? `Change the rule for ${rule.repository}` : 'Trust a workflow'
  return {
    title,
    place: 'keys',
    pollSeconds: null,
    isSecret: rule === null,
    ...changedMeanwhile(refused, reader),
    isNew: rule === null,
    action,
    tag: seenTag(tag, action, refused),
    back: addressOf(addresses.trustRules, params),
    verb: rule ? 'Change the rule' : 'Trust the workflow',
    selects: [
      choicesView(state, {
        id: 'appId',
        label: 'App',
        hint: 'The only app that its keys can access.',
        options: apps.map((app) => ({
          value: app.id,
          label: appName(app),
          isOn: app.id === rule?.appId,
        })),
      }),
      choicesView(state, {
        id: 'provider',
        label: 'CI',
        options: Object.entries(PROVIDERS).map(([value, label]) => ({
          value,
          label,
          isOn: value === rule?.provider,
        })),
      }),
    ],
    fields: [
      field(
        'issuer',
        'Issuer',
        rule?.issuer ?? 'https://token.actions.githubusercontent.com',
        'Who signs the tokens: https://gitlab.com for GitLab, or the address of your own server.'
      ),
      field(
        'audience',
        'Audience',
        rule?.audience ?? baseUrl,
        'The workflow requests its token for it. No other service accepts the address of this one.'
      ),
      field(
        'repository',
        'Repository',
        rule?.repository,
        'Such as acme/ios, exactly as the host spells it.'
      ),
      field(
        'repositoryId',
        'Number of the repository (optional)',
        rule?.repositoryId,
        'It stays the same when somebody else takes over the name.'
      ),
      field(
        'workflow',
        'File of the workflow',
        rule?.workflow,
        'Such as .github/workflows/release.yml or .gitlab-ci.yml.'
      ),
      fieldView(state, {
        id: 'refs',
        label: 'Branches and tags',
        hint: 'One per line, such as refs/heads/main or refs/heads/release/*. Runs of pull and merge requests get no key.',
        stored: rule?.refs.join('\n') ?? '',
        type: 'area',
      }),
      field(
        'environment',
        'Environment (optional)',
        rule?.environment,
        'Only runs in this environment. CI may require an approval for it.'
      ),
    ],
    groups: choicesView(state, {
      id: 'groupIds',
      label: 'Keys have the rights of these groups',
      hint: 'If none is chosen, they can only read.',
      options: groups.map(({ id, name, userActions }) => ({
        value: id,
        label: name,
        more: actionsView(userActions),
        isOn: held.has(id),
      })),
    }),
    call: [
      "curl -H 'content-type: application/json' \\",
      `  -d '{"orgId":"${params.orgId}","appId":"${rule?.appId ?? '…'}","token":"'$TOKEN'"}' \\`,
      `  ${baseUrl}/keylessKey`,
    ].join('\n'),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the question before a rule is deleted. */
export function deleteTrustRuleView(
  { rule, tag }: { rule: TrustRuleEntity; tag: string },
  { reader, refused, params }: Call
) {
  const action = addressOf(addresses.deleteTrustRule, params)
  const question = questionView('keys', {
    title: 'Delete the rule',
    lines: [
      `Runs of ${rule.workflow} of ${rule.repository} no longer get keys.`,
      'Keys that they have end at once.',
    ],
    action,
    tag: seenTag(tag, action, refused),
    verb: 'Delete',
    cancel: addressOf(addresses.trustRules, params),
  })
  return { ...question, ...changedMeanwhile(refused, reader) }
}
