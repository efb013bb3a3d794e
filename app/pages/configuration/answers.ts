import { hash } from 'node:crypto'
import type { AppTimelineEvent } from '#apps/entities'
import type { PlanEntity } from '#configuration/entities'
import type { NamedApp } from '../app/head.js'
import { textWithin } from '../frame/fields.js'
import type { Fields, Refused, Typed } from '../frame/page.js'

/** What a form asked of the text, beside changing the app by it. */
export type Asked = 'check' | 'plan'

export interface ConfigurationAnswers {
  app: NamedApp
  /** The configuration of the app as YAML. */
  exported: string
  /** Its entity tag. */
  tag: string
  /** The form that led here, refused or not; null for a page that is asked for. */
  typed: Typed | Refused | null
  /** What would happen by the text that was sent; null where nobody asked. */
  outcome: { asked: Asked; plan: PlanEntity } | null
  /** What others did to the app since the text was begun, where that stands in its way. */
  meanwhile: readonly AppTimelineEvent[]
}

/** Returns the text of a configuration as it was typed; browsers send other ends of lines. */
export const textIn = (fields: Fields): string => textWithin(fields, 'configuration')

/** The mark of a text, by which a plan of it is known. */
export const markOf = (text: string): string => hash('sha1', text, 'base64url')
