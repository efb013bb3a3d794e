import { hash } from 'node:crypto'
import type { AppTimelineEvent } from '#apps/entities'
import type { PlanEntity } from '#configuration/entities'
import type { NamedApp } from '../app/head.js'
import { textWithin } from '../frame/fields.js'
import type { Fields, Refused, Typed } from '../frame/page.js'

/** The request of a form about the text, beside applying it to the app. */
export type TextRequest = 'check' | 'plan'

export interface ConfigurationAnswers {
  app: NamedApp
  /** The configuration of the app as YAML. */
  exported: string
  /** Its entity tag. */
  tag: string
  /** The form that led here, refused or not; null if the page was opened. */
  typed: Typed | Refused | null
  /** The plan for the submitted text; null if none was asked for. */
  outcome: { asked: TextRequest; plan: PlanEntity } | null
  /** Changes to the app since the reader saw it, if the form was refused because of them. */
  meanwhile: readonly AppTimelineEvent[]
}

/** Returns the typed text of a configuration, with line ends of files. */
export const textIn = (fields: Fields): string => textWithin(fields, 'configuration')

/** Returns the digest of a text, which tells whether a plan was made for it. */
export const markOf = (text: string): string => hash('sha1', text, 'base64url')
