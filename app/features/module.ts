import type { Module } from '#foundation/api/module'
import { releaseParts } from '#releases/parts'
import { releasePart } from './release_part.js'

/** Work items of a release and their readiness. */
export const features: Module = {
  name: 'features',
  extensions: [releaseParts.extend(releasePart)],
}
