import { sizeText } from '#distribution/install_pages/views/texts'
import type { BuildChange } from './compare.js'
import { GROWTH_PERCENT, WHOLE, type ChangeKind } from './vocabulary.js'

const UNKNOWN = 'none stated'

/** Returns a change as one sentence, without a full stop. */
export function changeText({ kind, subject, from, to }: BuildChange): string {
  const [was, is] = [from ?? UNKNOWN, to ?? UNKNOWN]
  switch (kind) {
    case 'bundleIdChanged':
      return `The bundle ID is now ${is}; it was ${was}`
    case 'signerChanged':
      return `Signed by ${is} instead of ${was}`
    case 'permissionAdded':
      return `Asks for ${subject}`
    case 'permissionRemoved':
      return `No longer asks for ${subject}`
    case 'entitlementAdded':
      return `Entitlement ${subject}: ${is}`
    case 'entitlementRemoved':
      return `Entitlement ${subject} removed`
    case 'entitlementChanged':
      return `Entitlement ${subject}: ${was} → ${is}`
    case 'exportedComponentAdded':
      return `Other apps can start ${subject}${guard(to)}`
    case 'exportedComponentRemoved':
      return `Other apps can no longer start ${subject}`
    case 'exportedComponentChanged':
      return `To start ${subject}, other apps now need ${to ?? 'no permission'}; before: ${from ?? 'none'}`
    case 'frameworkAdded':
      return `New: ${subject}${version(to)}`
    case 'frameworkRemoved':
      return `Gone: ${subject}${version(from)}`
    case 'frameworkUpdated':
      return `${subject}: ${was} → ${is}`
    case 'minimumOsRaised':
    case 'minimumOsLowered':
      return `Minimum OS version: ${was} → ${is}`
    case 'targetChanged':
      return `Target OS version: ${was} → ${is}`
    case 'architectureAdded':
      return `Runs on ${subject}`
    case 'architectureRemoved':
      return `No longer runs on ${subject}`
    case 'sizeGrown':
    case 'sizeShrunk':
      return `${subject === WHOLE ? 'Total size' : subject}: ${sizeText(Number(from))} → ${sizeText(Number(to))}`
  }
}

const guard = (permission: string | null) => (permission === null ? '' : ` with ${permission}`)
const version = (number: string | null) => (number === null ? '' : ` ${number}`)

/** The title of the approval that changes of a kind need. */
export const APPROVAL_TITLES: Record<ChangeKind, string> = {
  bundleIdChanged: 'A different bundle ID',
  signerChanged: 'A different signer',
  permissionAdded: 'New permissions',
  permissionRemoved: 'Removed permissions',
  entitlementAdded: 'New entitlements',
  entitlementRemoved: 'Removed entitlements',
  entitlementChanged: 'Changed entitlements',
  exportedComponentAdded: 'New exported components',
  exportedComponentRemoved: 'Removed exported components',
  exportedComponentChanged: 'Changed exported components',
  frameworkAdded: 'New frameworks',
  frameworkRemoved: 'Removed frameworks',
  frameworkUpdated: 'Updated frameworks',
  minimumOsRaised: 'A higher minimum OS version',
  minimumOsLowered: 'A lower minimum OS version',
  targetChanged: 'A different target OS version',
  architectureAdded: 'New architectures',
  architectureRemoved: 'Removed architectures',
  sizeGrown: `Growth of ${GROWTH_PERCENT} % or more`,
  sizeShrunk: `Shrinkage of ${GROWTH_PERCENT} % or more`,
}
