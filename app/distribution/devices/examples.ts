import { ADA } from '#organizations/examples'

export const exampleDevice = {
  id: 'device_8tKq3VbN6wXz2TyRr5Ld',
  udid: '00008120-001A2B3C4D5E6F70',
  product: 'iPhone15,2',
  systemBuild: '22G86',
  tester: ADA,
  isVerified: true,
  certificateIssuer: 'Apple iPhone Device CA',
  registeredAt: '2026-11-16T10:00:00.000Z',
  updatedAt: '2026-11-16T10:00:00.000Z',
}
