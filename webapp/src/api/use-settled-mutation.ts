import { useMutation } from '@tanstack/react-query';

/** A mutation that reads anew what it touched, whether it succeeded or not. `errorTitle`: key of the error catalogue. */
export function useSettledMutation<Given>(mutationFn: (given: Given) => Promise<unknown>, refresh: () => unknown, errorTitle: string) {
  return useMutation({ mutationFn, onSettled: refresh, meta: { errorTitle } });
}
