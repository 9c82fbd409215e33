import type { DashboardAddress } from './dashboard-address';

export interface DashboardTabProps {
  readonly project: string;
  readonly state: DashboardAddress;
  readonly change: (part: Partial<DashboardAddress>) => void;
  readonly writable: boolean;
}
