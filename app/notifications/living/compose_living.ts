import type { ChatButton, ChatMessage } from '#plugin-kit/capabilities/work'
import type { ReleaseTimelinePhase } from '#releases/vocabulary'
import { composeLines, lineText } from '../compose.js'
import type { ReleaseFacts } from '../queries/message_facts.js'

const PHASES: Readonly<Record<ReleaseTimelinePhase, string>> = {
  upcoming: 'Upcoming',
  kickedOff: 'Kicked off',
  readyToSubmit: 'Ready to submit',
  submitted: 'Submitted',
  inReview: 'In review',
  readyToRelease: 'Ready to release',
  rollingOut: 'Rolling out',
  released: 'Released',
  rejected: 'Rejected by the store',
  skipped: 'Skipped',
}

/** Composes the message of a release: its phase, what it waits for, and the possible actions. */
export function composeLiving(given: ReleaseFacts, buttons: readonly ChatButton[]): ChatMessage {
  const { content, release, pilot, why } = given
  const isOver = release.status === 'completed'
  const phase = isOver && why.phase !== 'released' ? 'Completed' : PHASES[why.phase]
  const last = content.lines.at(-1)
  return {
    ...composeLines(
      content,
      [phase],
      [
        ...(pilot ? [{ label: 'Pilot', text: pilot.name ?? pilot.email }] : []),
        ...rollouts(given),
        ...(last ? [{ label: 'Last', text: lineText(last) }] : []),
      ]
    ),
    buttons: [...buttons],
  }
}

/** Returns the share of users in each store where it is rolled out. */
function rollouts({ facts }: ReleaseFacts) {
  return facts.steps.flatMap((step) =>
    step.type === 'rollout' && step.facts.state !== null
      ? [{ label: step.name, text: `${step.facts.percentage} %, ${step.facts.state}` }]
      : []
  )
}
