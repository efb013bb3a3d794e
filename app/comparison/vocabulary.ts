/** Kinds of differences between two builds, in the order of reports. */
export const CHANGE_KINDS = [
  'bundleIdChanged',
  'signerChanged',
  'permissionAdded',
  'permissionRemoved',
  'entitlementAdded',
  'entitlementRemoved',
  'entitlementChanged',
  'exportedComponentAdded',
  'exportedComponentRemoved',
  'exportedComponentChanged',
  'frameworkAdded',
  'frameworkRemoved',
  'frameworkUpdated',
  'minimumOsRaised',
  'minimumOsLowered',
  'targetChanged',
  'architectureAdded',
  'architectureRemoved',
  'sizeGrown',
  'sizeShrunk',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** The aspects in which two builds are compared, if both were read. */
export const ASPECTS = [
  'signer',
  'permissions',
  'entitlements',
  'exportedComponents',
  'frameworks',
  'architectures',
  'sizes',
] as const
export type Aspect = (typeof ASPECTS)[number]

/** The aspects as words within a sentence. */
export const ASPECT_WORDS: Readonly<Record<Aspect, string>> = {
  signer: 'the signer',
  permissions: 'permissions',
  entitlements: 'entitlements',
  exportedComponents: 'what other apps can start',
  frameworks: 'frameworks and libraries',
  architectures: 'architectures',
  sizes: 'sizes',
}

/** The subject of a change of the total size. */
export const WHOLE = 'whole'

/** A change of the total size needs an approval from this percentage on. */
export const GROWTH_PERCENT = 5
