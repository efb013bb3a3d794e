import { hash } from 'node:crypto'
import type { AppTimelineEvent } from '#apps/entities'
import type { PlanEntity } from '#configuration/entities'
import type { NamedApp } from '../app/head.js'
import { textWithin } from '../frame/fields.js'
import type { Fields, Refused, Typed } from '../frame/page.js'

/** The request of a form about the text, beside applying it to the app. */
export type Asked = 'check' | 'plan'

export interface ConfigurationAnswers {
  app: NamedApp
  /** The configuration of the app as YAML. */
  exported: string
  /** Its entity tag. */
  tag: string
  /** The form that led here, refused or not; null for a page that is asked for. */
  typed: Typed | Refused | null
  /** The outcome that the submitted text would have; null if nobody asked. */
  outcome: { asked: Asked; plan: PlanEntity } | null
  /** Changes of others to the app since the text was begun, if they conflict with it. */
  meanwhile: readonly AppTimelineEvent[]
}

/** Returns the text of a configuration as it was typed; browsers send other ends of lines. */
export const textIn = (fields: Fields): string => textWithin(fields, 'configuration')

/** The mark of a text, by which a plan of it is known. */
export const markOf = (text: string): string => hash('sha1', text, 'base64url')
