import type { OnCall } from '#plugin-kit/capabilities/monitoring'

export default class MemoryOnCall implements OnCall {
  async listSchedules(query: string) {
    return { items: [{ id: 'S1', name: 'mobile' }].filter(({ name }) => name.includes(query)) }
  }

  async whoIsOnCall(_scheduleId: string, at: string) {
    return [{ name: 'Ada', email: 'ada@acme.example', from: at }]
  }
}
