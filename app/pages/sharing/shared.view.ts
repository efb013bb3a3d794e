import { titleOfApp } from '#apps/vocabulary'
import type { SharedMove, SharedReleaseEntity } from '#releases/links/link_entities'
import { hueOf } from '../words/hues.js'
import { percentText } from '../words/numbers.js'
import { PHASES, ROLLOUT_STATES, statusLabel } from '../words/statuses.js'
import { longText, timeOf, zoneName, type TimeReader } from '../words/times.js'

const MOVES: Record<SharedMove, string> = {
  kickoff: 'Work on it begins',
  submission: 'It goes to the store for review',
  release: 'It goes to users',
  rollout: 'It goes to more users',
}

const isOver = ({ phase }: SharedReleaseEntity) => phase === 'released' || phase === 'skipped'

/** Returns the view of a release for everybody. */
export function sharedView(shared: SharedReleaseEntity, reader: TimeReader) {
  const { appName, platform, version, phase, rollout, next } = shared
  const name = titleOfApp({ name: appName, platform })
  const isStopped = rollout?.state === 'paused' || rollout?.state === 'halted'
  return {
    title: `${version} · ${name}`,
    name,
    letter: [...appName][0].toUpperCase(),
    hue: hueOf(appName),
    version,
    phase:
      isStopped && phase === 'rollingOut'
        ? statusLabel(ROLLOUT_STATES, rollout.state)
        : statusLabel(PHASES, phase),
    rollout: rollout && {
      percentage: rollout.percentage,
      text: percentText(rollout.percentage),
    },
    next: next && {
      text:
        next.percentage === undefined
          ? MOVES[next.what]
          : `It goes to ${percentText(next.percentage)} of users`,
      time: timeOf(next.at, reader),
    },
    none: isOver(shared) ? 'Nothing more is planned.' : 'What comes next has no date.',
    asOf: longText(reader.now, reader),
    zone: zoneName(reader.zone),
  }
}

/** Returns the view of a page that shows no release. */
export const noticeView = (title: string, text: string) => ({ title, text })
