import type { AutomationEntity, AutomationPauseStateEntity } from '#planning/entities'
import { addresses } from '../addresses.js'
import { instantIn, textOf } from '../frame/fields.js'
import { form } from '../frame/page.js'
import { automationsPage } from './page.js'

type Params = Record<string, string>

const ofApp = ({ appId }: Params) => ({ appId })
const shownOn = { page: automationsPage, params: ofApp }

/** Switches an automation on or off, or sets whether it runs after a freeze. */
export const automationForm = form({
  path: addresses.appAutomations,
  operation: 'setAutomation',
  request({ params, fields }) {
    const after = textOf(fields, 'runAfterFreeze')
    return {
      params: ofApp(params),
      body: {
        type: textOf(fields, 'type'),
        ...(after === null
          ? { enabled: textOf(fields, 'enabled') === 'yes' }
          : { config: { runAfterFreeze: after === 'yes' } }),
      },
    }
  },
  shownOn,
  done({ fields, answer }) {
    const { name, enabled, config } = answer as AutomationEntity
    if (textOf(fields, 'runAfterFreeze') === null) {
      return { said: `Switched ${enabled ? 'on' : 'off'}: ${name}.` }
    }
    const does = config.runAfterFreeze ? 'runs when the freeze ends' : 'skips the date'
    return { said: `${name}: if a freeze holds it back, it ${does}.` }
  },
})

/** Pauses all automations of an app, or lets them run again. */
export const pauseForm = form({
  path: addresses.appPause,
  operation: 'setAutomationPause',
  request: ({ params, fields, zone }) => ({
    params: ofApp(params),
    body:
      textOf(fields, 'paused') === 'no'
        ? { paused: false }
        : {
            paused: true,
            reason: textOf(fields, 'reason'),
            resumeAt: instantIn(fields, 'resumeAt', zone),
          },
  }),
  shownOn,
  done: ({ answer }) => ({
    said: (answer as AutomationPauseStateEntity).paused
      ? 'Automations are paused.'
      : 'Automations are running again.',
  }),
})
