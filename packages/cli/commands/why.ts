import { orThrow, type components } from '@tarmac/client'
import { plain, type Output } from '../output.js'
import { releasePath, type Session } from '../session.js'
import { inOptions, nameOf, stateOf } from '../words.js'

export type Why = components['schemas']['WhyNotMovingEntity']

/** Prints why a release is not moving, who can move it, and what comes next. */
export async function why({ client, out }: Session, release: string): Promise<void> {
  const params = { path: releasePath(release) }
  const found = await orThrow(
    client.GET('/app/{appId}/release/{releaseId}/whyNotMoving', { params })
  )
  out.show(found, () => whyText(found, out))
}

const MARKS = { complete: '✓', blocked: '✗', inProgress: '…', notStarted: '·' } as const
const COLOURS = {
  complete: 'green',
  blocked: 'red',
  inProgress: 'yellow',
  notStarted: 'dim',
} as const

/** Formats the answer for people. */
export function whyText(
  { releaseId, status, phase, release, steps, warnings, next }: Why,
  out: Output
) {
  const lines = [`${out.style('bold', releaseId)}  ${stateOf({ status, phase })}`, '']
  for (const step of steps) {
    const required = step.required ? '' : out.style('dim', ' (not required)')
    lines.push(
      `${out.style(COLOURS[step.status], MARKS[step.status])} ${plain(step.name)}${required}`
    )
    for (const each of step.unmet) lines.push(`    ${unmetText(each, out)}`)
  }
  for (const each of release) lines.push(unmetText(each, out))
  for (const { message } of warnings)
    lines.push(`${out.style('yellow', '!')} ${plain(inOptions(message))}`)
  if (next.length > 0) lines.push('', 'Next:')
  for (const { at, message } of next)
    lines.push(`  ${at.slice(0, 16).replace('T', ' ')}  ${plain(message)}`)
  return lines.join('\n')
}

function unmetText({ message, who }: Why['release'][number], out: Output): string {
  const names = [...new Set(who.map((each) => plain(nameOf(each))))].join(', ')
  return plain(message) + (names ? out.style('dim', `  → ${names}`) : '')
}
