/** The least that a program needs to be linked. */
#include <iostream>

#include <sallyport/sdk.hpp>

int main() {
  sdk::Client client;
  client.SetApplicationId(42);
  sdk::RunCallbacks();
  std::cout << sdk::Client::StatusToString(client.GetStatus()) << std::endl;
}
