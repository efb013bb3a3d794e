import { hash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { later } from '#foundation/core/clock'
import { from } from '#foundation/core/database/from'
import { as, change, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, text } from '#foundation/core/database/table'
import { DAY, MINUTE } from '#foundation/core/durations'
import { unrestricted } from '#foundation/core/principal'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { clock, selects, unitOfWork } from '#foundation/core/services'
import { CreateKey } from '../actions/create_key.js'
import { recordAudit } from '../audit.js'
import { groupsOf } from '../queries/people.js'
import { isOfProposal, isTrusted, runOf, type CiRun } from './ci_run.js'
import { keysOf } from './issuer_keys.js'
import { trustRules } from './tables.js'

/** The lifetime of a key of a run, in milliseconds. */
const KEY_MS = 15 * MINUTE

/** The tolerated difference between the clocks of an issuer and of the service, in seconds. */
const SKEW_S = 30

/** The maximum lifetime of a token, as used tokens are stored until they expire. */
const MAX_MS = DAY

/** Asymmetric algorithms alone, as the keys of an issuer are public. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]

/** The maximum length of a key's name. */
const MAX_NAME_LENGTH = 100

const RULES = select(
  {
    ...of(trustRules, 't'),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
  },
  `from trust_rules t join organizations o on o.id = t.organization_id
  where t.organization_id = :orgId and t.app_id = :appId order by t.created_at, t.id`
)
const SPEND = change(
  `insert into spent_tokens (id, organization_id, expires_at) values (:id, :org, :expiresAt)
  on conflict (id) do nothing`,
  { id: as(text(), 'id') }
)
/** Locks the rule, so that a change or deletion of it sees the key. */
const USE = change(
  `update trust_rules set last_used_at = :now
  where organization_id = :org and id = :id and updated_at = :updatedAt`,
  { id: as(text(), 'id') }
)

type Rule = RowOfSelect<typeof RULES>

/** The request of a CI run for a key. */
export interface Exchange {
  orgId: string
  appId: string
  /** The token that the provider of the CI signed. */
  token: string
}

/**
 * Gives a run of CI a key, for the token of its provider.
 * @throws token_refused, issuer_unreachable
 */
export async function exchangeToken({ orgId, appId, token }: Exchange) {
  const rules = await selects.rows(RULES, { orgId, appId })
  const issuer = issuerOf(token)
  const ofIssuer = rules.filter((rule) => rule.issuer === issuer)
  // Only issuers that an admin has named are contacted.
  if (ofIssuer.length === 0) throw refused('No rule of the app trusts its issuer.')
  const claims = await verified(token, ofIssuer)
  const { rule, run } = ruleFor(claims, ofIssuer)
  return makeKey(rule, run, claims)
}

const refused = (detail: string) => refuse('token_refused', { detail })

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    throw refused('It is not an OpenID Connect token.')
  }
}

/** Verifies a token by the keys of its issuer. @throws token_refused, issuer_unreachable */
async function verified(token: string, rules: readonly Rule[]): Promise<JWTPayload> {
  const [{ issuer }] = rules
  try {
    const { payload } = await jwtVerify(token, keysOf(issuer), {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_S,
      audience: rules.flatMap(audiencesOf),
      maxTokenAge: MAX_MS / 1000,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      currentDate: new Date(clock.milliseconds()),
    })
    const { exp, iat, jti } = payload
    if (exp! - iat! > MAX_MS / 1000) throw refused('It is valid for more than a day.')
    if (typeof jti !== 'string' || jti === '') throw refused('Its jti is not valid.')
    return payload
  } catch (error) {
    throw error instanceof Problem ? error : refused(whyNot(error))
  }
}

/**
 * Returns the audience of a rule, which is stored without a trailing slash, without and with one.
 */
const audiencesOf = ({ audience }: Rule) => [audience, `${audience}/`]

/** Explains why a token does not verify. */
function whyNot(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'It has expired.'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === 'missing'
      ? `It has no ${error.claim}.`
      : `Its ${error.claim} is not the one expected.`
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'It is signed with an algorithm that is not accepted.'
  if (error instanceof errors.JWKSNoMatchingKey) return 'Its issuer has no such key.'
  return 'Its signature is not that of its issuer.'
}

/**
 * Finds the rule that trusts a run. A refusal repeats claims of the token, but reveals nothing about
 * the rules.
 */
function ruleFor(claims: JWTPayload, rules: readonly Rule[]): { rule: Rule; run: CiRun } {
  const audiences = [claims.aud ?? []].flat()
  const addressed = rules.filter((rule) =>
    audiencesOf(rule).some((each) => audiences.includes(each))
  )
  let read: CiRun | null = null
  for (const rule of addressed) {
    const run = runOf(rule.provider, rule.issuer, claims)
    if (!run) continue
    read = run
    if (isOfProposal(run)) throw refused('A run of a pull or merge request gets no key.')
    if (isTrusted(rule, run)) return { rule, run }
  }
  if (!read) throw refused('It does not say which run of which workflow it belongs to.')
  const { repository, workflow, ref, environment } = read
  const where = environment === null ? '' : `, environment ${environment}`
  throw refused(`No rule of the app trusts ${workflow} of ${repository} at ${ref}${where}.`)
}

/** Marks the token as used and creates the key, in one transaction. @throws token_refused */
async function makeKey(rule: Rule, run: CiRun, { iss, jti, exp }: JWTPayload) {
  const now = clock.now()
  await from(db.connection(), 'spent_tokens').where('expires_at', '<=', now).delete()
  const { organizationId: id, organizationName: name, requireIfMatch } = rule
  const actor = {
    type: 'system' as const,
    id: null,
    name: `Run ${run.runId} of ${run.repository}`,
  }
  const expiresAt = later(now, KEY_MS)
  return unitOfWork.inTransaction(
    { organization: { id, name, requireIfMatch }, actor, permissions: unrestricted },
    async (scope) => {
      const spent = await scope.change(SPEND, {
        id: hash('sha256', `${iss}\n${jti}`, 'hex'),
        expiresAt: new Date((exp! + SKEW_S + 1) * 1000).toISOString(),
      })
      if (spent.rows.length === 0) throw refused('It was used before.')
      // A rule that was changed or deleted meanwhile no longer counts.
      const used = await scope.change(USE, { id: rule.id, updatedAt: rule.updatedAt, now })
      if (used.rows.length === 0) throw refused('The rule has changed in the meantime.')
      const groups = await groupsOf(scope, rule.groupIds)
      const created = await new CreateKey(scope).handle({
        name: `CI: ${run.repository} run ${run.runId}`.slice(0, MAX_NAME_LENGTH),
        groupIds: [...groups.keys()],
        appIds: [rule.appId],
        expiresAt,
        trustRuleId: rule.id,
      })
      const { repository, repositoryId, workflow, ref, environment, event } = run
      await recordAudit(scope, {
        action: 'key.exchanged',
        subject: created.id,
        data: {
          trustRuleId: rule.id,
          appId: rule.appId,
          issuer: rule.issuer,
          repository,
          repositoryId,
          workflow,
          ref,
          environment,
          event,
          run: run.runId,
          runUrl: run.runUrl,
          startedBy: run.startedBy,
        },
      })
      return { key: created.key, apiKeyId: created.id, appId: rule.appId, expiresAt }
    }
  )
}
