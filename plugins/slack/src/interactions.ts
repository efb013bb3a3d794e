import type {
  InboundRequest,
  Interaction,
  InteractionMember,
  Interactions,
} from '@tarmac/plugin-kit'
import { ProviderError } from '@tarmac/plugin-kit'
import { actionIn, escaped } from './blocks.js'
import { REPLY_HOST } from './manifest.js'
import { demanded, hasCode, Slack } from './slack.js'
import type { UsersInfoResponse } from '@slack/web-api'

type User = NonNullable<UsersInfoResponse['user']>

/** The part of Slack's report of a press that is read. */
interface Payload {
  type?: string
  trigger_id?: string
  response_url?: string
  user?: { id?: string }
  team?: { id?: string } | null
  actions?: { type?: string; action_id?: string; value?: string; action_ts?: string }[]
}

/** Reads presses of buttons, and the people who pressed. */
const interactions: Interactions = {
  arePossible: ({ signingSecret }) => typeof signingSecret === 'string' && signingSecret !== '',

  read(request) {
    const payload = payloadIn(request)
    if (payload?.type !== 'block_actions') return null
    const [pressed] = payload.actions ?? []
    const action = actionIn(pressed?.action_id ?? '')
    // Slack also reports presses of link buttons, which are ignored.
    if (pressed?.type !== 'button' || action === null) return null
    return {
      deliveryId: payload.trigger_id ?? '',
      occurredAt: timeOf(pressed.action_ts, request.receivedAt),
      memberId: payload.user?.id ?? '',
      ...{ action, value: pressed.value ?? '' },
      replyTo: { url: payload.response_url ?? '' },
    } satisfies Interaction
  },

  async member(ctx, memberId) {
    const slack = new Slack(ctx)
    try {
      const { user } = await slack.call((client) => client.users.info({ user: memberId }))
      const { team_id: own } = await slack.call((client) => client.auth.test())
      return memberOf(demanded(user, 'the person'), own)
    } catch (error) {
      if (!hasCode(error, 'user_not_found', 'user_not_visible')) throw error
      return { kind: 'stranger', verifiedEmail: null }
    }
  },

  /**
   * Replies only to the person who pressed. The reply address of a press is valid for half an hour.
   */
  async reply({ http }, { url }, text) {
    if (typeof url !== 'string' || !url.startsWith(`https://${REPLY_HOST}/`)) {
      throw new ProviderError('invalid', 'The press came without an address to answer to', {
        outcome: 'notApplied',
      })
    }
    await http.send({
      method: 'POST',
      path: url,
      json: { response_type: 'ephemeral', replace_original: false, text: escaped(text) },
      accept: 'text',
      anonymous: true,
    })
  },
}

/** Parses a form that contains the press as JSON; null for anything else. */
function payloadIn({ headers, rawBody }: InboundRequest): Payload | null {
  if (!headers['content-type']?.includes('x-www-form-urlencoded')) return null
  const text = new URLSearchParams(Buffer.from(rawBody).toString('utf8')).get('payload')
  return text === null ? null : (JSON.parse(text) as Payload)
}

/** Converts Slack's fractional seconds; falls back to the time of receipt. */
function timeOf(seconds: string | undefined, receivedAt: Date): string {
  const at = Number(seconds) * 1000
  return (Number.isFinite(at) && at > 0 ? new Date(at) : receivedAt).toISOString()
}

/** Classifies a person. Somebody who left, or whose home is another workspace, is a stranger. */
function memberOf(user: User, ownTeam: string | undefined): InteractionMember {
  const { is_email_confirmed: isVerified, profile } = user
  return {
    kind: kindOf(user, ownTeam),
    verifiedEmail: isVerified === true ? (profile?.email ?? null) : null,
  }
}

function kindOf(user: User, ownTeam: string | undefined): InteractionMember['kind'] {
  if (user.is_bot || user.is_workflow_bot || user.is_connector_bot) return 'bot'
  if (user.is_restricted || user.is_ultra_restricted) return 'guest'
  // In an Enterprise organization, a person has one home workspace and may be in several.
  const teams = [user.team_id, ...(user.enterprise_user?.teams ?? [])]
  const isOwn = ownTeam !== undefined && teams.includes(ownTeam)
  return user.deleted || user.is_stranger || user.is_invited_user || !isOwn ? 'stranger' : 'member'
}

export default interactions
